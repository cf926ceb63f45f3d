// names: read the name and the duration of each event of a JSON trace, and nothing else, for scale.
//
//     names FILE
//
// By simdjson's interface that looks only at what is asked for.  Prints "events N us T", T being the sum of durations.
#include <simdjson.h>

#include <cstdio>
#include <iostream>

using namespace simdjson;

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::cerr << "usage: names FILE\n";
        return 2;
    }
    std::size_t n = 0, bytes = 0;
    double sum = 0;
    try {
        ondemand::parser parser;
        padded_string text = padded_string::load(argv[1]);
        ondemand::document doc = parser.iterate(text);
        ondemand::array events =
            doc.type() == ondemand::json_type::array ? doc.get_array() : doc["traceEvents"].get_array();
        for (ondemand::object event : events) {
            std::string_view name;
            double dur;
            if (!event["name"].get_string().get(name))
                bytes += name.size();
            if (!event["dur"].get_double().get(dur))
                sum += dur;
            n++;
        }
    } catch (const simdjson_error &e) {
        std::cerr << "names: " << argv[1] << ": " << e.what() << '\n';
        return 3;
    }
    std::printf("events %zu us %.0f\n", n, sum);
    return bytes == 0 && n != 0;
}
