import { addPoints, moveWindow } from './arriving.js'
import { addSetpoint, indexAt, lastOf, readAt } from './data.js'
import { make } from './elements.js'
import { clockOf, momentText, readText, valueText } from './format.js'
import { Lane } from './lane.js'
import { fitLegends, Legend } from './legend.js'
import { Rails } from './rails.js'
import { StateStrip } from './states.js'
import { ticksOf } from './ticks.js'
import { WeekStrip } from './week.js'

/**
 * Heights of the first lane and of each other lane, for one, two and more lanes. More lanes are lower, so that they fit
 * on one screen.
 */
const HEIGHTS = [[360], [264, 220], [240, 168]]
/** The least distance of two marks of the time axis. It is larger if the labels name the zone. */
const TICK_ROOM = 88
const LONG_TICK_ROOM = 128
const LONG_TICK = 11
/** The largest width of a letter in a label. */
const LETTER = 7

/** All lanes of a window over one time axis, with one crosshair. */
export class Picture {
  element
  data
  at = null
  #clock
  #parts = []
  #legends = []
  #stateHeads = []
  #rails
  #axis = make('div.axis', { 'aria-hidden': 'true' })
  #over = make('div.over', { 'aria-hidden': 'true' })
  #cross = make('div.cross', { hidden: '' })
  #flag = make('div.flag', { hidden: '' })
  #ticks = []
  #width = 0
  /** The left and the right edge of all lanes and of the time axis. */
  #edges = { left: 56, right: 12 }
  #isWidened = false
  /** Where the time axis begins and ends, in pixels from the top. */
  #foot = { top: 0, bottom: 0 }
  #shownFrom
  #shownTo
  isHeld = false
  /** The distance in pixels that the picture was moved since it was drawn. */
  #panned = 0
  /** A chart knows its height only after it was created, and the height of a legend depends on the font. */
  #heights = new ResizeObserver(() => this.#measure())
  /** The difference between the clocks of the platform and the browser. */
  #ahead

  constructor(element, data, { choose }) {
    this.element = element
    this.data = data
    this.#width = element.clientWidth
    this.#shownFrom = data.from
    this.#shownTo = data.to
    this.#ahead = data.ahead ?? 0
    this.#clock = clockOf(data.zone)
    // Keeps the height, because a shorter page would scroll for a moment.
    element.style.minHeight = `${element.offsetHeight}px`
    element.replaceChildren()
    this.#over.append(this.#cross, this.#flag)
    this.#rails = new Rails(element, data, this.#over, this.#clock)
    this.#addLanes()
    this.#addStates()
    element.append(this.#axis)
    if (data.week)
      this.#parts.push(new WeekStrip(element, data, this.#clock, { view: this.view, edges: this.#edges, choose }))
    element.append(this.#over)
    this.resize()
    element.style.minHeight = ''
    this.#heights.observe(element)
  }

  /** The visible times. */
  view = () => ({ from: this.#shownFrom, to: this.#shownTo, now: this.data.now })

  #addLanes() {
    const lines = this.data.series.filter(({ form }) => form === 'raw' || form === 'buckets')
    const units = [...Map.groupBy(lines, ({ unit }) => unit)]
    for (const [index, [unit, series]] of units.entries()) {
      const place = this.element.appendChild(make('section.lane', { 'aria-label': unit || 'without a unit' }))
      this.#legends.push(new Legend(place, unit, series, this.#clock))
      const [first, other] = HEIGHTS[Math.min(units.length, HEIGHTS.length) - 1]
      const shared = { view: this.view, ticks: () => this.#ticks, edges: this.#edges, widen: this.#widen }
      const options = { ...shared, height: index === 0 ? first : other, width: this.#width }
      for (const one of series) one.until = Math.min(this.data.now, this.data.to)
      this.#parts.push(new Lane(place.appendChild(make('div.plot', { 'aria-hidden': 'true' })), series, options))
    }
  }

  #addStates() {
    const states = this.data.series.filter(({ form }) => form === 'states')
    if (states.length === 0) return
    const place = this.element.appendChild(make('section.lane.states', { 'aria-label': 'States' }))
    for (const series of states) {
      const value = make('strong')
      const head = make(
        'div.state-head',
        {},
        make('span', {}, make('bdi', {}, series.name), make('span.of', {}, ` ${series.of} · ${series.caption}`)),
        value,
      )
      place.append(head)
      this.#stateHeads.push({ series, value })
      this.#parts.push(new StateStrip(place, series, { view: this.view, edges: this.#edges }))
    }
  }

  get #inner() {
    return this.#width - this.#edges.left - this.#edges.right
  }

  /** Makes room for the labels of a lane in all lanes, because they share one time axis. */
  #widen = (left) => {
    if (left <= this.#edges.left) return
    this.#edges.left = left
    if (this.#isWidened) return
    this.#isWidened = true
    // The lane that needs the room is being drawn now.
    queueMicrotask(() => {
      this.#isWidened = false
      if (this.element.contains(this.#axis)) this.resize()
    })
  }

  resize() {
    this.#panned = 0
    this.element.style.setProperty('--left', `${this.#edges.left}px`)
    // Reads the width once, because each reading after a change makes the browser compute the layout again.
    this.#width = this.element.clientWidth
    if (this.#legends.length > 0) fitLegends(this.element, this.#legends)
    this.#tick()
    for (const part of this.#parts) part.resize(this.#width)
    this.#measure()
    this.#place()
    this.show(this.at)
  }

  redraw() {
    this.#panned = 0
    this.#tick()
    for (const part of this.#parts) part.redraw()
    this.#measure()
    this.#place()
    this.show(this.at)
  }

  #measure() {
    const { offsetTop, offsetHeight } = this.#axis
    this.#foot = { top: offsetTop, bottom: offsetTop + offsetHeight }
    this.#over.style.height = `${this.#foot.bottom}px`
    this.#cross.style.height = `${this.#foot.top}px`
    this.#flag.style.top = `${this.#foot.top}px`
  }

  /** Moves all lanes along the time axis without reading data. After that, the window no longer follows the present. */
  pan(from) {
    if (!this.isHeld) this.show(null)
    this.isHeld = true
    this.#panned -= (from - this.#shownFrom) / this.pixel
    this.#shownTo += from - this.#shownFrom
    this.#shownFrom = from
    this.#tick()
    for (const part of this.#parts) (part.pan ?? part.redraw).call(part, this.#panned)
    this.#place()
  }

  /** Moves the lanes back to the times that were read. */
  goBack() {
    this.isHeld = false
    this.#shownFrom = this.data.from
    this.#shownTo = this.data.to
    this.redraw()
  }

  #tick() {
    const ticks = (room) => ticksOf(this.view(), Math.max(2, this.#inner / room), this.#clock)
    this.#ticks = ticks(TICK_ROOM)
    if (this.#ticks.some(({ text }) => text.length > LONG_TICK)) this.#ticks = ticks(LONG_TICK_ROOM)
  }

  #place() {
    const x = this.x()
    this.#rails.place(x, this.#width, this.data.now)
    this.#axis.replaceChildren(
      ...this.#ticks.map(({ at, text, isStrong }) => {
        const isEnd = x(at) > this.#width - (text.length * LETTER) / 2
        const tick = make(`span.tick${isStrong ? '.strong' : ''}${isEnd ? '.end' : ''}`, {}, text)
        tick.style.left = `${isEnd ? this.#width : x(at)}px`
        return tick
      }),
    )
  }

  /** Returns the x position of a time, in pixels from the left. */
  x() {
    const { from, to } = this.view()
    const { left } = this.#edges
    const x = (at) => left + ((at - from) / (to - from)) * this.#inner
    return Object.assign(x, { left, right: left + this.#inner })
  }

  timeAt(pixel) {
    const { from, to } = this.view()
    const x = this.x()
    return from + ((Math.min(Math.max(pixel, x.left), x.right) - x.left) / (x.right - x.left)) * (to - from)
  }

  /** Moves the crosshair; null removes it. There is no crosshair while the lanes are moved. */
  show(at) {
    if (this.isHeld) return
    this.at = at
    const { from, to } = this.view()
    const read = (series) => (at === null ? lastOf(series) : readAt(series, at))
    for (const legend of this.#legends) legend.show(at, read, to - from)
    for (const { series, value } of this.#stateHeads) value.textContent = valueText(read(series).value, series)
    for (const part of [this.#cross, this.#flag]) part.hidden = at === null
    if (at === null) return
    const left = this.x()(at)
    this.#cross.style.left = `${left}px`
    this.#flag.textContent = momentText(this.#clock, at, to - from)
    this.#flag.style.left = `${left}px`
  }

  /** The text of the crosshair for a screen reader. */
  spoken() {
    const { from, to } = this.view()
    const values = this.data.series.map((series) => {
      const read = readAt(series, this.at)
      const { value, min, max, refused } = read
      const said = refused
        ? `refused, ${refused.code}`
        : value === undefined
          ? 'no data'
          : `${readText(read, series)} ${series.unit}`
      const isRange = min !== undefined && min !== max
      const range = isRange ? `, ${valueText(min, series)} to ${valueText(max, series)}` : ''
      return `${series.name} ${said}${range}`
    })
    return `${momentText(this.#clock, this.at, to - from)}: ${values.join('; ')}`
  }

  /** The time of the next point, of the first series that has points. */
  step(count) {
    const series = this.data.series.find(({ at }) => at?.length > 0)
    const { from, to } = this.view()
    if (series === undefined) return Math.min(to, Math.max(from, (this.at ?? to) + (count * (to - from)) / 200))
    const half = series.form === 'buckets' ? series.interval / 2 : 0
    const index = this.at === null ? series.at.length : indexAt(series, this.at)
    const next = Math.min(series.at.length - 1, Math.max(0, index + count))
    return series.at[next] + half
  }

  /** The times of all marks, in order. */
  marks() {
    const { applies, events, series } = this.data
    const own = series.flatMap(({ setpoints, refused }) => [
      ...setpoints.map(({ at }) => at),
      ...refused.map(({ from }) => from),
    ])
    const { from, to } = this.view()
    return [...applies.map(({ at }) => at), ...events.map(({ from: at }) => at), ...own]
      .filter((at) => at >= from && at <= to)
      .sort((one, other) => one - other)
  }

  /** Adds new points, and moves to the present. */
  add(points) {
    if (addPoints(this.data, points, this.#present)) this.moveOn()
  }

  /** Updates setpoints, and returns those that changed. */
  addSetpoints(told) {
    const byId = new Map(this.data.series.map((series) => [series.id, series]))
    const changed = told.filter(([id, setpoint]) => byId.has(id) && addSetpoint(byId.get(id), setpoint))
    if (changed.length > 0) this.moveOn()
    return changed.map(([id, setpoint]) => ({ series: byId.get(id), setpoint }))
  }

  /** The time that one pixel shows, in milliseconds. */
  get pixel() {
    return (this.#shownTo - this.#shownFrom) / Math.max(1, this.#inner)
  }

  get #present() {
    return Date.now() + this.#ahead
  }

  /** Whether the present has moved by at least one pixel since the last drawing. */
  get isBehind() {
    return this.#present - this.#shownTo >= this.pixel
  }

  /** Moves the end of the window to the present, and extends settings and states to it. */
  moveOn() {
    moveWindow(this.data, this.#present)
    if (this.isHeld) return
    this.#shownFrom = this.data.from
    this.#shownTo = this.data.to
    for (const series of this.data.series) series.until = this.#shownTo
    this.redraw()
  }

  destroy() {
    this.#heights.disconnect()
    for (const part of this.#parts) part.destroy?.()
  }
}
