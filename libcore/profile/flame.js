// SPDX-License-Identifier: MIT
// The script of a page of tr-flame: zoom by a click, search, and numbers of what is found.
"use strict";
(function () {
  const page = JSON.parse(document.getElementById("profile").textContent);
  const svg = document.querySelector("svg"), frames = document.getElementById("frames");
  const view = page.view, n = page.parent.length;
  const depth = new Array(n), last = new Array(n);
  let zoomed = 0, looked = "";

  for (let i = 0; i < n; i++) {
    depth[i] = i ? depth[page.parent[i]] + 1 : 0;
    last[i] = i;
  }
  for (let i = n - 1; i > 0; i--) // nodes are in order: all that is inside of one follows it
    last[page.parent[i]] = Math.max(last[page.parent[i]], last[i]);

  function name(i) {
    return page.names[page.name[i]];
  }

  function measure(i) {
    return page.base ? (page.test[i] + page.base[i]) / 2 : page.test[i];
  }

  // Three significant digits; a whole number of the smallest unit is written as it is.
  function digits(v, whole) {
    const size = Math.abs(v);
    let n = whole && Number.isInteger(v) || size === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    for (let at = size; n >= 2 && at < 0.9995 && n < 9; at *= 10)
      n++;
    return v.toLocaleString("en-US", { minimumFractionDigits: n, maximumFractionDigits: n }).replace("-", "\u2212");
  }

  function number(v) {
    const unit = page.units.find(function (u) { return Math.abs(v) >= u[0]; }) || page.units[page.units.length - 1];
    return digits(v / unit[0], unit[0] <= 1) + (unit[1] ? " " + unit[1] : "");
  }

  function share(v) {
    return digits(measure(0) ? 100 * v / measure(0) : 0, true) + " %";
  }

  function percent(i) {
    return share(measure(i));
  }

  function hover(i) {
    const change = page.base ? page.test[i] - page.base[i] : 0;
    return name(i) + ": " + number(page.test[i]) + (page.base
      ? ", base " + number(page.base[i]) + " (" + (change < 0 ? "" : "+") + number(change) + ")"
      : " (" + percent(i) + "), itself " + number(page.self[i]));
  }

  // The class of a box, and how strong its colour is.
  function look(i) {
    if (!page.base)
      return ["", page.classes[page.kind[i]]];
    const change = Math.abs(page.test[i] - page.base[i]) / Math.max(page.test[i], page.base[i], 1);
    const strength = change < 0.05 ? "ar " : change < 0.25 ? "pt " : "";
    return page.test[i] === page.base[i] ? ["", page.same] : [strength, page.test[i] > page.base[i] ? page.more : page.less];
  }

  function make(tag, attributes, text) {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const key in attributes)
      e.setAttribute(key, attributes[key]);
    if (text !== undefined)
      e.textContent = text;
    return e;
  }

  function cut(text, room) {
    const most = Math.floor(room / 6.6), all = Array.from(text);
    return all.length <= most ? text : most < 3 ? "" : all.slice(0, most - 1).join("") + "\u2026";
  }

  function found(i) {
    return looked !== "" && i > 0 && name(i).toLowerCase().includes(looked);
  }

  function box(i, x, w) {
    const y = view.top + view.row * depth[i], h = view.row - 1, as = look(i), hit = found(i);
    const g = make("g", { "class": (looked && !hit ? "dim" : "") + (depth[i] < depth[zoomed] ? " out" : ""), tabindex: "0" });
    g.appendChild(make("title", {}, hover(i)));
    g.appendChild(make("rect", { x: x.toFixed(2), y: y, width: w.toFixed(2), height: h,
      "class": (w > 3 ? "sg " : "") + as[0] + "f-" + as[1] + (hit ? " hit" : "") }));
    if (w >= 30) {
      const both = name(i) + "  " + (i ? percent(i) : number(measure(0)));
      g.appendChild(make("text", { x: (x + 4).toFixed(2), y: y + h / 2 + 4, "class": "sm" + (as[0] ? "" : " t-" + as[1]) },
        both.length * 6.6 <= w - 8 ? both : cut(name(i), w - 8)));
    }
    g.addEventListener("click", function () { draw(i); });
    g.addEventListener("keydown", function (e) {
      if (e.key === "Enter" || e.key === " ") {
        draw(i);
        e.preventDefault();
      }
    });
    frames.appendChild(g);
  }

  // All boxes, with one of them and those around it as wide as the picture.
  function draw(i) {
    const next = new Map(), scale = view.width / (measure(i) || 1);
    let rows = depth[i] + 1;
    zoomed = i;
    frames.textContent = "";
    for (let at = i; ; at = page.parent[at]) {
      box(at, view.left, view.width);
      if (!at)
        break;
    }
    next.set(i, view.left);
    for (let at = i + 1; at <= last[i]; at++) {
      const x = next.get(page.parent[at]), w = measure(at) * scale;
      if (x === undefined || w < 0.3) {
        if (x !== undefined)
          next.set(page.parent[at], x + w);
        at = last[at]; // nor is anything inside of it wider
        continue;
      }
      next.set(page.parent[at], x + w);
      next.set(at, x);
      box(at, x, w);
      rows = Math.max(rows, depth[at] + 1);
    }
    const height = view.top + view.row * rows + view.below;
    svg.setAttribute("height", height);
    svg.setAttribute("viewBox", "0 0 " + (view.width + 2 * view.left) + " " + height);
    svg.querySelector("rect.bg").setAttribute("height", height);
    count_found();
  }

  function count_found() {
    let count = 0, sum = 0;
    for (let i = 1; looked && i < n; i++) {
      if (!found(i))
        continue;
      for (let k = i; k <= last[i]; k++)
        count += found(k) ? 1 : 0;
      sum += measure(i); // those inside of it have a part of this
      i = last[i];
    }
    said.textContent = looked ? count + (count === 1 ? " stack, " : " stacks, ") + number(sum) + " (" +
      share(sum) + ")" : zoomed ? "zoomed: " + name(zoomed) + ", " + percent(zoomed) : "";
    whole.disabled = !zoomed;
  }

  const tools = document.getElementById("tools"), said = document.createElement("output");
  const search = document.createElement("input"), whole = document.createElement("button");
  search.type = "search";
  search.placeholder = "Find a name";
  search.setAttribute("aria-label", "Find a name");
  search.addEventListener("input", function () {
    looked = search.value.toLowerCase();
    draw(zoomed);
  });
  whole.type = "button";
  whole.textContent = "Show all";
  whole.addEventListener("click", function () { draw(0); });
  document.addEventListener("keydown", function (e) {
    if (e.key === "Escape") {
      search.value = looked = "";
      draw(0);
    }
  });
  tools.append(search, whole, said);
  tools.hidden = false;
  draw(0);
}());
