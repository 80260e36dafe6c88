import uPlot from './uplot.js'
import { colours, dataColour, tint } from './colours.js'
import { indexAt } from './data.js'
import { markTexts } from './figures.js'
import { drawEnvelopes } from './envelope.js'
import { drawBehind, drawInFront } from './draw-beside-lines.js'

const LETTERS = 12
/** Space between the labels of the axis and the lane, and before the labels. */
const GAP = 8
const MARGIN = 4
const DASHES = [6, 4]
/** With fewer points than this, each point is also drawn as a dot. */
const FEW = 60
/** The least height of a scale, in steps of the precision of its values. */
const STEPS = 10

/** The chart of all lines with one unit. */
export class Lane {
  #plot
  #series
  #height
  /** The drawing before it was moved. */
  #before = null

  /**
   * `view` returns the visible times and `ticks` the marks of the axis. Both are called at each drawing. `edges` are
   * shared by all lanes, and `widen` makes room for the labels of this lane.
   */
  constructor(place, series, { view, ticks, height, width, edges, widen }) {
    this.#series = series
    this.#height = height
    const { rows, bands } = lines(series)
    this.#plot = new uPlot(
      {
        width,
        height,
        ms: 1,
        padding: [10, edges.right, 6, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: () => [view().from, view().to] },
          y: { range: (_, low, high) => rangeOf(low, high, series, view()) },
        },
        axes: [timeAxis(ticks), valueAxis(edges, widen)],
        series: [{}, ...rows],
        bands,
        hooks: {
          drawAxes: [(plot) => drawBehind(plot, series, view()), (plot) => drawEnvelopes(plot, series, view())],
          draw: [(plot) => drawInFront(plot, series, view())],
        },
      },
      this.#data(),
      place,
    )
  }

  #data() {
    const tables = this.#series.map(tableOf)
    return tables.length === 1 ? tables[0] : uPlot.join(tables)
  }

  redraw() {
    this.#before = null
    this.#plot.setData(this.#data())
  }

  /** Moves the drawn picture by some pixels, because drawing thousands of points again takes longer than one frame. */
  pan(pixels) {
    const { ctx: brush, bbox } = this.#plot
    const { left, top, width, height } = bbox
    this.#before ??= copyOf(brush.canvas, bbox)
    brush.save()
    brush.beginPath()
    brush.rect(left, top, width, height)
    brush.clip()
    brush.clearRect(left, top, width, height)
    brush.drawImage(this.#before, left + Math.round(pixels * devicePixelRatio), top)
    brush.restore()
  }

  resize(width) {
    this.#before = null
    this.#plot.setSize({ width, height: this.#height })
  }

  destroy() {
    this.#plot.destroy()
  }
}

function copyOf(canvas, { left, top, width, height }) {
  const copy = new OffscreenCanvas(width, height)
  copy.getContext('2d').drawImage(canvas, left, top, width, height, 0, 0, width, height)
  return copy
}

function timeAxis(ticks) {
  return {
    size: 0,
    gap: 0,
    splits: () => ticks().map(({ at }) => at),
    values: () => [],
    grid: { stroke: () => colours().line, width: 1 },
    ticks: { show: false },
  }
}

function valueAxis(edges, widen) {
  return {
    size: () => edges.left,
    gap: GAP,
    space: 36,
    stroke: () => colours().soft,
    font: `${LETTERS}px ${colours().sans}`,
    values(plot, splits, axis, space, step) {
      const texts = markTexts(splits, step)
      widen(MARGIN + widest(plot, texts) + GAP)
      return texts
    },
    grid: { stroke: () => colours().line, width: 1 },
    ticks: { show: false },
  }
}

/** The width of the longest text, in pixels of the page. Small letters are rounded to whole pixels of the screen. */
function widest({ ctx: brush }, texts) {
  brush.save()
  brush.font = `${Math.round(LETTERS * devicePixelRatio)}px ${colours().sans}`
  const width = Math.max(0, ...texts.map((text) => brush.measureText(text).width))
  brush.restore()
  return Math.ceil(width / devicePixelRatio)
}

/** Each series has one line in the chart. A series with figures has three, and the band lies between the first two. */
function lines(series) {
  const rows = []
  const bands = []
  for (const one of series) {
    const colour = () => dataColour(one.place)
    if (one.form === 'buckets') {
      bands.push({ series: [rows.length + 1, rows.length + 2], fill: () => tint(colour(), 0.25) })
      rows.push(edge(one), edge(one))
    }
    rows.push({
      stroke: colour,
      width: 1.5,
      ...(one.isSetting && { dash: DASHES }),
      ...(one.place >= 6 && { dash: [2, 3] }),
      paths: pathsOf(one),
      points: { show: one.at.length <= FEW && !one.isSetting, size: 5, fill: colour },
    })
  }
  return { rows, bands }
}

function edge(series) {
  return { stroke: 'transparent', width: 0, points: { show: false }, paths: pathsOf(series) }
}

function pathsOf({ isSetting }) {
  return isSetting ? uPlot.paths.stepped({ align: 1 }) : uPlot.paths.linear()
}

/** The times and values of a line. An empty value interrupts the line at each gap. */
function tableOf(series) {
  const { form, at, gaps, isSetting } = series
  const columns = form === 'buckets' ? [series.max, series.min, series.mean] : [series.values]
  const half = form === 'buckets' ? series.interval / 2 : 0
  const table = [[], ...columns.map(() => [])]
  const ends = gaps.map(([from]) => from)
  let gap = 0
  for (let index = 0; index < at.length; index++) {
    while (ends[gap] < at[index]) {
      if (index > 0)
        add(
          table,
          Math.max(ends[gap], at[index - 1]) + half + 1e-3,
          columns.map(() => null),
        )
      gap++
    }
    add(
      table,
      at[index] + half,
      columns.map((column) => numberOf(column[index])),
    )
  }
  // The value of a setting holds until now.
  if (isSetting && at.length > 0 && series.until > at.at(-1))
    add(
      table,
      series.until,
      columns.map((column) => numberOf(column.at(-1))),
    )
  return table
}

/** The number to draw for a value, which may be the text of an integer. */
function numberOf(value) {
  return value === null ? null : Number(value)
}

function add(table, at, values) {
  table[0].push(at)
  for (const [index, value] of values.entries()) table[index + 1].push(value)
}

function valueAt(series, at) {
  const index = indexAt(series, at)
  return index < 0 ? null : numberOf((series.values ?? series.mean)[index])
}

/** Extends the scale to boundaries and setpoints that are near. A boundary that is far away gets an arrow. */
function rangeOf(low, high, series, { from }) {
  const set = series.flatMap(({ setpoints }) => setpoints.map(({ value }) => Number(value)))
  // A setting keeps its last value from before the window.
  const held = series.filter(({ isSetting }) => isSetting).map((one) => valueAt(one, from))
  const known = [low, high, ...set, ...held].filter((value) => Number.isFinite(value))
  if (known.length === 0) return [0, 1]
  let [least, most] = [Math.min(...known), Math.max(...known)]
  // Keeps the scale from showing steps of the precision as large changes.
  const fine = Math.max(...series.map(({ precision }) => (precision == null ? 0 : STEPS * 10 ** -precision)))
  if (most > least && most - least < fine) {
    const middle = (most + least) / 2
    ;[least, most] = [middle - fine / 2, middle + fine / 2]
  }
  const reach = (most - least || Math.abs(most) || 1) * 0.35
  for (const { value: bound } of series.flatMap(({ bounds }) => bounds)) {
    const value = Number(bound)
    if (value >= least - reach && value <= most + reach) [least, most] = [Math.min(least, value), Math.max(most, value)]
  }
  const margin = (most - least || Math.abs(most) || 1) * 0.08
  return [least - margin, most + margin]
}
