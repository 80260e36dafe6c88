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

/** Few lanes are high, and many are still seen together: that of the first, and of each other one. */
const HEIGHTS = [[360], [264, 220], [240, 168]]
/** A mark of the time axis has at least so much room, and more where its label names the zone, too. */
const TICK_ROOM = 88
const LONG_TICK_ROOM = 128
const LONG_TICK = 11
/** The width of a letter of a label, at most. */
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
  /** The left and the right edge of every lane, which the time axis has, too. */
  #edges = { left: 56, right: 12 }
  #isWidened = false
  /** Where the time axis begins and ends, in pixels from the top. */
  #foot = { top: 0, bottom: 0 }
  #shownFrom
  #shownTo
  #isHeld = false
  /** By so many pixels it was moved since it was drawn. */
  #panned = 0
  /** A chart has its height only after it was made, and a legend another one with other letters. */
  #heights = new ResizeObserver(() => this.#measure())
  /** How far the clock of the platform is ahead of that of the browser. */
  #ahead

  constructor(element, data, { choose }) {
    this.element = element
    this.data = data
    this.#width = element.clientWidth
    this.#shownFrom = data.from
    this.#shownTo = data.to
    this.#ahead = data.ahead ?? 0
    this.#clock = clockOf(data.zone)
    // Else the page would be short for a moment, and would be scrolled.
    element.style.minHeight = `${element.offsetHeight}px`
    element.replaceChildren()
    this.#over.append(this.#cross, this.#flag)
    this.#rails = new Rails(element, data, this.#over, this.#clock)
    this.#addLanes()
    this.#addStates()
    element.append(this.#axis)
    if (data.week !== null && data.week !== undefined)
      this.#parts.push(new WeekStrip(element, data, this.#clock, { view: this.view, edges: this.#edges, choose }))
    element.append(this.#over)
    this.resize()
    element.style.minHeight = ''
    this.#heights.observe(element)
  }

  /** The times that are seen. */
  view = () => ({ from: this.#shownFrom, to: this.#shownTo, now: this.data.now })

  #addLanes() {
    const lines = this.data.series.filter(({ form }) => form === 'raw' || form === 'buckets')
    const units = [...Map.groupBy(lines, ({ unit }) => unit)]
    for (const [index, [unit, series]] of units.entries()) {
      const place = this.element.appendChild(make('section.lane', { 'aria-label': unit || 'without a unit' }))
      this.#legends.push(new Legend(place, unit, series, this.#clock))
      const [first, other] = HEIGHTS[Math.min(units.length, HEIGHTS.length) - 1]
      const height = index === 0 ? first : other
      const shared = { view: this.view, ticks: () => this.#ticks, edges: this.#edges, widen: this.#widen }
      const options = { ...shared, height, width: this.#width }
      for (const one of series) one.until = Math.min(this.data.now, this.data.to)
      const lane = new Lane(place.appendChild(make('div.plot', { 'aria-hidden': 'true' })), series, options)
      this.#parts.push({
        resize: (width) => lane.resize(width, height),
        redraw: () => lane.redraw(),
        pan: (pixels) => lane.pan(pixels),
        destroy: () => lane.destroy(),
      })
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
        make('span', {}, make('bdi', {}, series.name), make('span.of', {}, ` ${series.of} · raw`)),
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

  /** Makes room for the marks of a lane: in all of them, since they have one time axis. */
  #widen = (left) => {
    if (left <= this.#edges.left) return
    this.#edges.left = left
    if (this.#isWidened) return
    this.#isWidened = true
    // The lane that needs it is being drawn.
    queueMicrotask(() => {
      this.#isWidened = false
      if (this.element.contains(this.#axis)) this.resize()
    })
  }

  resize() {
    this.#panned = 0
    this.element.style.setProperty('--left', `${this.#edges.left}px`)
    // Asked anew after each change of the page, a browser would lay all of it out each time.
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

  get isHeld() {
    return this.#isHeld
  }

  /** Moves all lanes along the time axis, and reads nothing. From then on the present does not move them. */
  pan(from) {
    if (!this.#isHeld) this.show(null)
    this.#isHeld = true
    this.#panned -= (from - this.#shownFrom) / this.pixel
    this.#shownTo += from - this.#shownFrom
    this.#shownFrom = from
    this.#tick()
    for (const part of this.#parts) (part.pan ?? part.redraw).call(part, this.#panned)
    this.#place()
  }

  /** To the times that were read, from where it was moved. */
  goBack() {
    this.#isHeld = false
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

  /** Answers where a time is, in pixels from the left. */
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

  /** Moves the crosshair; null takes it away. While the lanes are moved there is none. */
  show(at) {
    if (this.#isHeld) return
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

  /** The time of the next point of the first series with points. */
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

  /** Takes new points, and moves on to the present. */
  add(points) {
    if (addPoints(this.data, points, this.#present)) this.moveOn()
  }

  /** Takes what has become of setpoints, and tells of which that is new. */
  addSetpoints(told) {
    const byId = this.#byId()
    const changed = told.filter(([id, setpoint]) => byId.has(id) && addSetpoint(byId.get(id), setpoint))
    if (changed.length > 0) this.moveOn()
    return changed.map(([id, setpoint]) => ({ series: byId.get(id), setpoint }))
  }

  #byId() {
    return new Map(this.data.series.map((series) => [series.id, series]))
  }

  /** So much time is a pixel. */
  get pixel() {
    return (this.#shownTo - this.#shownFrom) / Math.max(1, this.#inner)
  }

  get #present() {
    return Date.now() + this.#ahead
  }

  /** Whether the present has moved by a pixel since it was drawn. */
  get isBehind() {
    return this.#present - this.#shownTo >= this.pixel
  }

  /** The window ends at the present, and what holds goes on until then. */
  moveOn() {
    moveWindow(this.data, this.#present)
    if (this.#isHeld) return
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
