// Draws the page's figures with Chart.js. The data are the JSON in #figures: groups of figures that share their legend.
"use strict";
(() => {
  const LIGHT = ["#1f5fbf", "#c2410c", "#0f766e", "#a21caf", "#b91c1c", "#4d7c0f", "#be185d", "#57534e"];
  const DARK = ["#8ab4f8", "#fb923c", "#2dd4bf", "#e58cf5", "#f98080", "#b5e04d", "#f78fc0", "#c4bfb8"];
  const SHAPES = ["circle", "rect", "triangle", "rectRot", "rectRounded", "cross", "crossRot", "star"];
  const DASHES = [[], [7, 3], [2, 2], [8, 3, 2, 3]];
  const darkWanted = window.matchMedia("(prefers-color-scheme: dark)");
  const charts = [];
  let printing = false;

  const isDark = () => darkWanted.matches && !printing;
  const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // What numbers look like, by their quantity.
  const digits = (value) => (value >= 1000 || value === 0 ? String(Math.round(value)) : String(Number(value.toPrecision(3))));
  const binary = (value) => {
    for (const [unit, size] of [["G", 1 << 30], ["M", 1 << 20], ["K", 1 << 10]]) {
      if (value >= size && (value / size) % 0.125 === 0) return value / size + unit;
    }
    return String(value);
  };
  const time = (ns) => {
    for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["us", 1e3]]) if (ns >= size) return `${digits(ns / size)} ${unit}`;
    return `${digits(ns)} ns`;
  };
  const FORMATS = {bytes: binary, nanoseconds: time, gbps: (value) => `${digits(value)} GB/s`, ratio: (value) => `${digits(value)}x`, number: digits};

  // Ticks of a logarithmic axis that people can read: round numbers, not too many.
  const logTicks = (low, high) => {
    const values = [];
    if (high / low < 4) {
      const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5].map((s) => s * 10 ** Math.floor(Math.log10(low)))
        .find((s) => (high - low) / s <= 7);
      for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); ++i) values.push(Number((i * step).toPrecision(6)));
      return values;
    }
    const marks = high / low < 2000 ? [1, 2, 5] : [1];
    for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.log10(high); ++exponent) {
      for (const mark of marks) {
        const value = Number((mark * 10 ** exponent).toPrecision(3));
        if (value >= low * 0.999 && value <= high * 1.001) values.push(value);
      }
    }
    return values;
  };
  const roundDown = (value) => {
    const decade = 10 ** Math.floor(Math.log10(value));
    return Number(([5, 2, 1].find((mark) => mark * decade <= value * 1.0001) * decade).toPrecision(3));
  };
  const roundUp = (value) => {
    const decade = 10 ** Math.floor(Math.log10(value));
    return Number(([1, 1.5, 2, 3, 5, 10].find((mark) => mark * decade >= value * 0.9999) * decade).toPrecision(3));
  };

  const whiskers = {
    id: "whiskers",
    afterDatasetsDraw(chart) {
      const {ctx, scales} = chart;
      chart.data.datasets.forEach((dataset, index) => {
        if (!chart.isDatasetVisible(index)) return;
        ctx.save();
        ctx.strokeStyle = dataset.borderColor;
        ctx.lineWidth = 1.2;
        ctx.beginPath();
        chart.getDatasetMeta(index).data.forEach((element, i) => {
          const point = dataset.data[i];
          if (point.low === undefined) return;
          const top = scales.y.getPixelForValue(point.high);
          const bottom = scales.y.getPixelForValue(point.low);
          if (bottom - top < 5) return;  // hidden behind its point
          ctx.moveTo(element.x, top);
          ctx.lineTo(element.x, bottom);
          for (const end of [top, bottom]) {
            ctx.moveTo(element.x - 4, end);
            ctx.lineTo(element.x + 4, end);
          }
        });
        ctx.stroke();
        ctx.restore();
      });
    },
  };

  // The look of a series: its place in the group's legend decides.
  const paint = (dataset) => {
    const {slot, limit} = dataset.look;
    const colors = isDark() ? DARK : LIGHT;
    const color = limit ? styleOf("--soft") : colors[slot % colors.length];
    Object.assign(dataset, {
      borderColor: color,
      backgroundColor: color,
      borderWidth: limit ? 1.6 : 2,
      borderDash: limit ? [5, 4] : DASHES[Math.floor(slot / colors.length) % DASHES.length],
      pointStyle: SHAPES[(slot + Math.floor(slot / colors.length)) % SHAPES.length],
      pointRadius: limit ? 0 : dataset.data.length > 40 ? 1.5 : 3,
      pointHoverRadius: limit ? 3 : 6,
      pointHitRadius: 8,
      tension: 0,
      clip: 10,
    });
  };
  const paintAxes = (options) => {
    const ink = styleOf("--soft");
    for (const scale of [options.scales.x, options.scales.y]) {
      scale.grid.color = styleOf("--line");
      scale.grid.borderColor = styleOf("--line");
      scale.ticks.color = ink;
      scale.title.color = ink;
    }
    Object.assign(options.plugins.tooltip, {
      backgroundColor: styleOf("--card"), borderColor: styleOf("--soft"), titleColor: styleOf("--ink"), bodyColor: styleOf("--ink"),
    });
  };

  const axisOptions = (axis, values, isX) => {
    const low = Math.min(...values), high = Math.max(...values);
    const options = {
      type: axis.scale,
      title: {display: true, text: axis.title, font: {size: 12}},
      grid: {},
      ticks: {callback: (value) => FORMATS[axis.quantity](value), maxRotation: 0, autoSkipPadding: 14, font: {size: 12}},
    };
    if (axis.quantity === "bytes") {
      const sizes = [...new Set(values)].sort((a, b) => a - b);
      Object.assign(options, {min: low, max: high, afterBuildTicks: (scale) => { scale.ticks = sizes.map((value) => ({value})); }});
    } else if (axis.scale === "logarithmic") {
      const near = high / low < 1.6;  // round numbers would leave most of the axis empty
      const min = near ? low / (high / low) ** 0.1 : roundDown(low), max = near ? high * (high / low) ** 0.1 : roundUp(high);
      Object.assign(options, {min, max: max > min ? max : min * 2});
      options.afterBuildTicks = (scale) => { scale.ticks = logTicks(options.min, options.max).map((value) => ({value})); };
    } else if (isX) {
      Object.assign(options, {min: low, max: high});
    } else {
      options.beginAtZero = true;
    }
    return options;
  };

  const labelOf = (figure) => (item) => {
    const point = item.raw, format = FORMATS[figure.y.quantity];
    const range = point.low === undefined ? "" : ` (${format(point.low)} to ${format(point.high)})`;
    return ` ${item.dataset.label}: ${format(point.y)}${range}`;
  };

  const makeChart = (figure, canvas, slots) => {
    const datasets = figure.series.map((series) => ({
      label: series.name,
      hidden: !series.prominent,
      look: {slot: slots.get(series.name), limit: series.limit},
      data: series.points.map(([x, y, low, high]) => (low === undefined ? {x, y} : {x, y, low, high})),
    }));
    datasets.forEach(paint);
    const all = figure.series.flatMap((series) => series.points);
    const options = {
      animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true,
      layout: {padding: {right: 12, top: 6}},
      interaction: {mode: "nearest", axis: "x", intersect: false},
      plugins: {
        legend: {display: false},
        tooltip: {
          borderWidth: 1, padding: 10, usePointStyle: true, boxPadding: 4,
          itemSort: (a, b) => (figure.y.quantity === "gbps" || figure.y.title.startsWith("tok/s") ? b.raw.y - a.raw.y : a.raw.y - b.raw.y),
          callbacks: {
            title: (items) => `${FORMATS[figure.x.quantity](items[0].raw.x)}${figure.x.quantity === "bytes" ? "" : " " + figure.x.title}`,
            label: labelOf(figure),
          },
        },
      },
      scales: {x: axisOptions(figure.x, all.map((p) => p[0]), true), y: axisOptions(figure.y, all.map((p) => p[1]), false)},
    };
    paintAxes(options);
    const chart = new Chart(canvas, {type: "line", data: {datasets}, options, plugins: [whiskers]});
    canvas.addEventListener("keydown", (event) => stepThrough(chart, event));
    canvas.addEventListener("blur", () => showAt(chart, null));
    charts.push(chart);
    return chart;
  };

  // The tooltip of a place on the x axis, for people without a mouse; null: none.
  const showAt = (chart, x) => {
    const active = [];
    chart.data.datasets.forEach((dataset, datasetIndex) => {
      if (x === null || !chart.isDatasetVisible(datasetIndex)) return;
      const index = dataset.data.findIndex((point) => point.x === x);
      if (index >= 0) active.push({datasetIndex, index});
    });
    chart.setActiveElements(active);
    const first = active.length ? chart.getDatasetMeta(active[0].datasetIndex).data[active[0].index] : {x: 0, y: 0};
    chart.tooltip.setActiveElements(active, {x: first.x, y: first.y});
    chart.keyboardX = x;
    chart.update("none");
  };
  const stepThrough = (chart, event) => {
    const visible = chart.data.datasets.filter((dataset, index) => chart.isDatasetVisible(index) && !dataset.look.limit);
    const places = [...new Set(visible.flatMap((dataset) => dataset.data.map((point) => point.x)))].sort((a, b) => a - b);
    const at = places.indexOf(chart.keyboardX);
    const next = {ArrowRight: Math.min(at + 1, places.length - 1), ArrowLeft: Math.max(at - 1, 0), Home: 0, End: places.length - 1}[event.key];
    if (event.key === "Escape") return showAt(chart, null);
    if (next === undefined || places.length === 0) return undefined;
    event.preventDefault();
    return showAt(chart, places[next]);
  };

  // One legend for all figures of a group: buttons, as a canvas has none for the keyboard.
  const makeLegend = (box, members, series) => {
    const show = (name, shown) => {
      for (const chart of members) {
        chart.data.datasets.forEach((dataset, index) => { if (dataset.label === name) chart.setDatasetVisibility(index, shown); });
      }
    };
    const buttons = series.map(({name, prominent, limit}) => {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", String(prominent));
      button.innerHTML = '<svg width="22" height="10" aria-hidden="true"><line x1="1" y1="5" x2="21" y2="5" stroke-width="2.5"/></svg>';
      button.append(name);
      button.seriesName = name;
      button.isLimit = limit;
      button.addEventListener("click", () => {
        const shown = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(shown));
        show(name, shown);
        members.forEach((chart) => chart.update("none"));
      });
      return button;
    });
    box.append(...buttons);
    if (series.every(({prominent}) => prominent)) return;
    const all = document.createElement("button");
    all.type = "button";
    all.className = "all";
    all.textContent = "show all";
    all.addEventListener("click", () => {
      const everything = all.textContent === "show all";
      all.textContent = everything ? "show the best" : "show all";
      buttons.forEach((button, i) => {
        const shown = everything || series[i].prominent;
        button.setAttribute("aria-pressed", String(shown));
        show(button.seriesName, shown);
      });
      members.forEach((chart) => chart.update("none"));
    });
    box.append(all);
  };
  const paintLegends = () => {
    for (const button of document.querySelectorAll(".legend button")) {
      const chart = charts.find((c) => c.legendBox === button.parentElement && c.data.datasets.some((d) => d.label === button.seriesName));
      const dataset = chart && chart.data.datasets.find((d) => d.label === button.seriesName);
      const line = button.querySelector("line");
      if (!dataset || !line) continue;
      line.setAttribute("stroke", dataset.borderColor);
      line.setAttribute("stroke-dasharray", dataset.borderDash.join(" "));
    }
  };

  const repaint = () => {
    for (const chart of charts) {
      chart.data.datasets.forEach(paint);
      paintAxes(chart.options);
      chart.resize();
      chart.update("none");
    }
    paintLegends();
  };

  const start = () => {
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    const groups = JSON.parse(document.getElementById("figures").textContent);
    groups.forEach((group, number) => {
      const series = new Map();  // name -> its first appearance; contestants in the order of prominence
      const every = group.figures.flatMap((figure) => figure.series);
      for (const one of [...every.filter((s) => s.prominent), ...every]) if (!series.has(one.name)) series.set(one.name, one);
      const slots = new Map([...series.values()].filter((s) => !s.limit).map((s, slot) => [s.name, slot]));
      const box = document.getElementById(`legend-${number}`);
      const members = group.figures.map((figure) => {
        const chart = makeChart(figure, document.getElementById(figure.id), slots);
        chart.legendBox = box;
        return chart;
      });
      makeLegend(box, members, [...series.values()]);
    });
    paintLegends();
    darkWanted.addEventListener("change", repaint);
    window.addEventListener("beforeprint", () => { printing = true; repaint(); });
    window.addEventListener("afterprint", () => { printing = false; repaint(); });
    window.ringsideCharts = charts;
  };
  if (typeof Chart !== "undefined") start();
})();
