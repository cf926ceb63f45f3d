// dom: parse a whole JSON trace into simdjson's document, for scale.
//
//     dom FILE
//
// Prints "events N", N being the elements of traceEvents or of a bare array.
#include <simdjson.h>

#include <iostream>

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::cerr << "usage: dom FILE\n";
        return 2;
    }
    simdjson::dom::parser parser;
    simdjson::dom::element doc;
    simdjson::dom::array events;

    auto error = parser.load(argv[1]).get(doc);
    if (!error)
        error = (doc.is_array() ? doc.get_array() : doc["traceEvents"].get_array()).get(events);
    if (error) {
        std::cerr << "dom: " << argv[1] << ": " << error << '\n';
        return 3;
    }
    // size() of an array saturates at 2^24 - 1, so count.
    std::size_t n = 0;
    for (auto event : events) {
        (void)event;
        n++;
    }
    std::cout << "events " << n << '\n';
    return 0;
}
