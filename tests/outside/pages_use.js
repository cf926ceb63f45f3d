/* SPDX-License-Identifier: MIT */
/* What a reader does with a page of tr-report; a line "ok WHAT" or "not ok WHAT" for each thing that should happen. */
(function () {
    "use strict";
    var out = document.getElementById("out"), page, win;

    function check(what, ok) { out.textContent += (ok ? "ok " : "not ok ") + what + "\n"; }

    function texts(list, f) { return Array.prototype.map.call(list, f); }

    function pointer(target, type, x, y) {
        target.dispatchEvent(new win.PointerEvent(type, { bubbles: true, clientX: x, clientY: y, button: 0, pointerId: 1,
                                                          pointerType: "mouse" }));
    }

    function use_table() {
        var table = page.querySelector("#kernels table"), head = table.tHead.rows[0].cells[1];
        var column = function () {
            return texts(table.tBodies[0].rows, function (r) { return Number(r.cells[1].textContent.replace(/,/g, "")); });
        };
        var rest = function () { return table.tBodies[0].rows[table.tBodies[0].rows.length - 1].textContent; };
        head.click();
        var down = column().slice(0, -1);
        check("a click on a column orders its rows, the largest first",
              down.length > 5 && down.every(function (v, i) { return !i || down[i - 1] >= v; }));
        head.click();
        var up = column().slice(0, -1);
        check("a second click, the smallest first", up.every(function (v, i) { return !i || up[i - 1] <= v; }));
        check("others stay last", /others/.test(rest()));
        check("the column says so", head.getAttribute("aria-sort") === "ascending");
    }

    function use_marks() {
        var mark = page.querySelector("#kernels .wide rect[aria-label]"), tip = page.getElementById("hover");
        pointer(mark, "pointermove", 300, 300);
        check("a mark shows its value", !tip.hidden && / \u00b5s/.test(tip.textContent));
        pointer(page.body, "pointermove", 5, 5);
        check("the value goes away", tip.hidden);
    }

    function use_ranks() {
        var input = page.querySelector(".ranks input"), heads = page.querySelectorAll("#kernels th");
        input.value = "1";
        input.dispatchEvent(new win.Event("input"));
        check("the column of another rank is hidden", heads[1].textContent === "rank0_us" && heads[1].hidden && !heads[2].hidden);
        check("marks of another rank are pale", page.querySelectorAll("#breakdown .dim").length > 3 &&
              !page.querySelector("#breakdown rect[aria-label^='rank 1']").classList.contains("dim"));
        input.value = "";
        input.dispatchEvent(new win.Event("input"));
        check("all ranks again", !page.querySelector(".dim") && !heads[1].hidden);
    }

    function use_zoom() {
        var svg = page.querySelector("#steps .wide svg[data-from]");
        var box = svg.getBoundingClientRect(), y = box.top + box.height / 2;
        pointer(svg, "pointerdown", box.left + box.width * 0.4, y);
        pointer(svg, "pointermove", box.left + box.width * 0.5, y);
        pointer(svg, "pointerup", box.left + box.width * 0.6, y);
        var moved = svg.querySelector("g g").getAttribute("transform");
        check("a part of a series is drawn wider", /^matrix\((4|5|6)\./.test(moved));
        svg.closest("figure").querySelector("button").click();
        check("the whole again", svg.querySelector("g g").getAttribute("transform") === "matrix(1 0 0 1 0 0)");
    }

    function use_commands() {
        var n = page.querySelectorAll("pre").length;
        check("each command has a button", n > 10 && page.querySelectorAll("pre + button").length === n);
    }

    function use(frame, tests) {
        frame.addEventListener("load", function () {
            page = frame.contentDocument;
            win = frame.contentWindow;
            tests.forEach(function (f) {
                try {
                    f();
                } catch (e) {
                    check(f.name + ": " + e, false);
                }
            });
        });
    }

    use(document.querySelector(".two"), [use_table, use_marks, use_ranks, use_commands]);
    use(document.querySelector(".one"), [use_zoom]);
}());
