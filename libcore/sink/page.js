/* SPDX-License-Identifier: MIT */
/* What a page can do beyond being read: sort tables, copy commands, show values, choose ranks, zoom into series. */
(function () {
    "use strict";
    var SVG = "http://www.w3.org/2000/svg";

    function all(selector, f, within) {
        Array.prototype.forEach.call((within || document).querySelectorAll(selector), f);
    }

    function make(tag, text, parent) {
        var e = document.createElement(tag);
        e.textContent = text;
        parent.appendChild(e);
        return e;
    }

    /* ---- tables ---- */

    function value(row, column, numeric) {
        var text = row.cells[column].textContent;
        return !numeric ? text : text === "" ? null : Number(text.replace(/,/g, ""));
    }

    function sort(head) {
        var numeric = head.classList.contains("num"), body = head.closest("table").tBodies[0];
        var was = head.getAttribute("aria-sort"), down = was ? was === "ascending" : numeric;
        var rows = Array.prototype.slice.call(body.rows).filter(function (r) { return !r.classList.contains("rest"); });
        all("th[aria-sort]", function (th) { th.removeAttribute("aria-sort"); }, head.parentNode);
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        rows.sort(function (x, y) {
            var a = value(x, head.cellIndex, numeric), b = value(y, head.cellIndex, numeric);
            if (a === null || b === null)
                return (a === null) - (b === null);
            return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
        });
        all("tr.rest", function (r) { rows.push(r); }, body);
        rows.forEach(function (r) { body.appendChild(r); });
    }

    all("thead th", function (th) {
        th.tabIndex = 0;
        th.addEventListener("click", function () { sort(th); });
        th.addEventListener("keydown", function (e) {
            if (e.key === "Enter" || e.key === " ") {
                e.preventDefault();
                sort(th);
            }
        });
    });

    /* ---- commands ---- */

    function copied(button, done) {
        button.textContent = done ? "Copied" : "Press Ctrl+C";
        setTimeout(function () { button.textContent = "Copy"; }, 2000);
    }

    function copy(pre, button) {
        function mark() { /* selected, so that a key can copy it */
            var range = document.createRange();
            range.selectNodeContents(pre);
            getSelection().removeAllRanges();
            getSelection().addRange(range);
            copied(button, document.execCommand("copy"));
        }
        if (navigator.clipboard)
            navigator.clipboard.writeText(pre.textContent).then(function () { copied(button, true); }, mark);
        else
            mark();
    }

    all("pre", function (pre) {
        var button = document.createElement("button");
        button.textContent = "Copy";
        button.addEventListener("click", function () { copy(pre, button); });
        pre.parentNode.insertBefore(button, pre.nextSibling);
    });

    /* ---- values of marks ---- */

    var hover = make("div", "", document.body), marks = new Map();
    hover.id = "hover";
    hover.hidden = true;

    all("figure svg title", function (title) {
        var mark = title.parentNode;
        marks.set(mark, title.textContent);
        mark.setAttribute("aria-label", title.textContent);
        mark.removeChild(title);
    });

    function show(e) {
        var text = e.target.nodeType === 1 ? marks.get(e.target) : undefined;
        hover.hidden = !text;
        if (!text)
            return;
        hover.textContent = text;
        var box = hover.getBoundingClientRect();
        var x = Math.min(e.clientX + 12, innerWidth - box.width - 8), y = e.clientY - box.height - 10;
        hover.style.left = Math.max(x, 8) + "px";
        hover.style.top = (y < 8 ? e.clientY + 18 : y) + "px";
    }

    document.addEventListener("pointermove", show);
    document.addEventListener("pointerdown", show);
    addEventListener("scroll", function () { hover.hidden = true; });

    /* ---- ranks ---- */

    /* "0,3,8..15" as a test of numbers; null: all, or not to be read. */
    function chosen(text) {
        var parts = text.split(",").map(function (s) { return /^\s*(\d+)(?:\s*(?:\.\.|-)\s*(\d+))?\s*$/.exec(s); });
        if (parts.some(function (p) { return !p; }))
            return null;
        return function (rank) {
            return parts.some(function (p) { return rank >= Number(p[1]) && rank <= Number(p[2] || p[1]); });
        };
    }

    function rank_of(text) {
        var found = /(?:^|[ ,(])rank ?(\d+)/.exec(text);
        return found ? Number(found[1]) : null;
    }

    function choose(text) {
        var keep = chosen(text);
        function out(rank) { return keep !== null && rank !== null && !keep(rank); }
        marks.forEach(function (title, mark) { mark.classList.toggle("dim", out(rank_of(title))); });
        all("table", function (table) {
            var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
            var key = heads.findIndex(function (th) { return th.textContent === "rank"; });
            heads.forEach(function (th, i) {
                var hide = out(rank_of(th.textContent));
                all("tr", function (row) { row.cells[i].hidden = hide; }, table);
            });
            all("tbody tr", function (row) {
                var cell = key < 0 ? "" : row.cells[key].textContent;
                row.hidden = out(cell === "" ? null : Number(cell));
            }, table);
        });
    }

    function add_ranks() {
        var ranks = new Set(), place = document.querySelector("nav");
        marks.forEach(function (title) { ranks.add(rank_of(title)); });
        all("th", function (th) { ranks.add(rank_of(th.textContent)); });
        ranks.delete(null);
        if (ranks.size < 2 || !place)
            return;
        var label = make("label", "Only ranks", place), input = document.createElement("input");
        label.className = "ranks";
        input.placeholder = "all, or 0,3,8..15";
        input.addEventListener("input", function () { choose(input.value); });
        label.appendChild(input);
    }

    add_ranks();

    /* ---- zoom: along the horizontal axis of pictures that say from where to where it goes ---- */

    function zooms(svg) {
        var from = Number(svg.getAttribute("data-from")), to = Number(svg.getAttribute("data-to"));
        var scale = 1, shift = 0, start = null, band = null, reset = null;
        var clip = document.createElementNS(SVG, "clipPath"), area = document.createElementNS(SVG, "rect");
        var outer = document.createElementNS(SVG, "g"), inner = document.createElementNS(SVG, "g");
        var ticks = [];

        /* names of axes and panels stay; ticks of this axis move; all else is drawn anew */
        function divide() {
            clip.id = "zoom" + document.querySelectorAll("clipPath").length;
            area.setAttribute("x", from);
            area.setAttribute("y", -100);
            area.setAttribute("width", to - from);
            area.setAttribute("height", 10000);
            clip.appendChild(area);
            outer.setAttribute("clip-path", "url(#" + clip.id + ")");
            outer.appendChild(inner);
            Array.prototype.slice.call(svg.children).forEach(function (e) {
                var c = e.classList;
                if (e.tagName === "text" && c.contains("tk") && c.contains("m"))
                    ticks.push([e, Number(e.getAttribute("x"))]);
                else if (e.tagName !== "text")
                    inner.appendChild(e);
                else if (c.contains("sm") || c.contains("m") && !c.contains("ax"))
                    ticks.push([e, NaN]); /* values in marks would be stretched */
            });
            svg.insertBefore(outer, svg.firstChild);
            svg.insertBefore(clip, svg.firstChild);
        }

        function place() {
            inner.setAttribute("transform", "matrix(" + scale + " 0 0 1 " + shift + " 0)");
            all("path", function (e) { e.setAttribute("vector-effect", "non-scaling-stroke"); }, inner);
            all("circle", function (e) {
                var x = Number(e.getAttribute("cx"));
                e.setAttribute("transform", "translate(" + x + " 0) scale(" + 1 / scale + " 1) translate(" + -x + " 0)");
            }, inner);
            ticks.forEach(function (t) {
                var x = t[1] * scale + shift;
                if (!isNaN(x))
                    t[0].setAttribute("x", x);
                t[0].setAttribute("visibility", scale === 1 || x >= from - 1 && x <= to + 1 ? "visible" : "hidden");
            });
        }

        function at(e) {
            var p = svg.createSVGPoint();
            p.x = e.clientX;
            p.y = e.clientY;
            return Math.min(Math.max(p.matrixTransform(svg.getScreenCTM().inverse()).x, from), to);
        }

        function zoom(a, b) {
            var k = (to - from) / (b - a);
            if (!inner.parentNode)
                divide();
            scale *= k;
            shift = from + (shift - a) * k;
            place();
            if (reset)
                return;
            reset = make("button", "Whole range", svg.closest("figure"));
            reset.addEventListener("click", function () {
                scale = 1;
                shift = 0;
                place();
                reset.remove();
                reset = null;
            });
        }

        svg.classList.add("zooms");
        svg.addEventListener("pointerdown", function (e) {
            if (e.button !== 0 || e.pointerType === "touch")
                return;
            start = at(e);
            band = document.createElementNS(SVG, "rect");
            band.setAttribute("class", "frame-of-zoom");
            band.setAttribute("y", svg.viewBox.baseVal.y);
            band.setAttribute("height", svg.viewBox.baseVal.height);
            svg.appendChild(band);
            svg.setPointerCapture(e.pointerId);
            e.preventDefault();
        });
        svg.addEventListener("pointermove", function (e) {
            if (start === null)
                return;
            band.setAttribute("x", Math.min(start, at(e)));
            band.setAttribute("width", Math.abs(at(e) - start));
        });
        svg.addEventListener("pointerup", function (e) {
            if (start === null)
                return;
            var a = Math.min(start, at(e)), b = Math.max(start, at(e));
            band.remove();
            start = null;
            if (b - a > 4)
                zoom(a, b);
        });
    }

    all("figure svg[data-from]", zooms);
}());
