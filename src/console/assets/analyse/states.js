import { colours, stateColour, tint } from './colours.js'
import { valueText } from './format.js'
import { drawSetpoint, setpointText } from './setpoint-marks.js'

const HEIGHT = 22
/** Height of the row of setpoints below the bars. */
const SETPOINTS = 18

/** Draws the states of one series as bars, on the same time axis as the lanes. */
export class StateStrip {
  #canvas = document.createElement('canvas')
  #series
  #view
  #edges
  #width = 0

  constructor(place, series, { view, edges }) {
    this.#edges = edges
    this.#series = series
    this.#view = view
    this.#canvas.className = 'strip'
    this.#canvas.setAttribute('aria-hidden', 'true')
    place.append(this.#canvas)
  }

  get #height() {
    return this.#series.setpoints.length > 0 ? HEIGHT + SETPOINTS : HEIGHT
  }

  resize(width) {
    this.#width = width
    this.#fit()
    this.redraw()
  }

  /** Sets the size of the canvas in pixels of the screen, which may be smaller than pixels of the page. */
  #fit() {
    const { style } = this.#canvas
    this.#canvas.width = Math.round(this.#width * devicePixelRatio)
    this.#canvas.height = Math.round(this.#height * devicePixelRatio)
    style.width = `${this.#width}px`
    style.height = `${this.#height}px`
  }

  redraw() {
    // The first setpoint needs room below the bars.
    if (this.#canvas.height !== Math.round(this.#height * devicePixelRatio)) this.#fit()
    const brush = this.#canvas.getContext('2d')
    const { from, to, now } = this.#view()
    const width = this.#width - this.#edges.left - this.#edges.right
    brush.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, this.#edges.left * devicePixelRatio, 0)
    brush.clearRect(-this.#edges.left, 0, width + this.#edges.left + this.#edges.right, this.#height)
    brush.save()
    brush.beginPath()
    brush.rect(0, 0, width, this.#height)
    brush.clip()
    const x = (at) => ((at - from) / (to - from)) * width
    const { runs } = this.#series
    const together = [...new Set(runs.map(({ value }) => String(value)).filter((text) => text.includes(',')))]
    for (const run of runs) this.#drawRun(brush, run, together, x(run.from), x(run.to))
    for (const setpoint of this.#series.setpoints)
      this.#drawSetpoint(brush, setpoint, { x, width, now: Math.min(now, to) })
    brush.restore()
  }

  /** The latest setpoint is drawn last, above the label of the previous one. */
  #drawSetpoint(brush, setpoint, { x, width, now }) {
    const y = HEIGHT + SETPOINTS / 2
    const end = drawSetpoint(brush, setpoint, { x, y, now, scale: 1, colour: colours().text })
    const text = setpointText(setpoint, valueText(setpoint.value, this.#series), now)
    brush.font = `12px ${colours().sans}`
    const room = brush.measureText(text).width
    const left = end + 8 + room > width ? Math.max(0, x(setpoint.at) - 10 - room) : end + 8
    brush.fillStyle = colours().page
    brush.fillRect(left - 2, HEIGHT + 1, room + 4, SETPOINTS - 1)
    brush.fillStyle = colours().text
    brush.textBaseline = 'middle'
    brush.fillText(text, left, y + 0.5)
  }

  #drawRun(brush, { value }, together, left, right) {
    const colour = colourOf(this.#series, value, together)
    // A normal state is only a thin line, so that the other states stand out.
    if (colour === null) {
      brush.fillStyle = colours().edge
      brush.fillRect(left, HEIGHT - 3, right - left, 1.5)
      label(brush, valueText(value, this.#series), left, right, colours().soft)
      return
    }
    brush.fillStyle = typeof value === 'boolean' ? tint(colour, 0.85) : tint(colour, 0.32)
    // Leaves one pixel between two bars.
    brush.fillRect(left, 2, Math.max(right - left - 1, 1), HEIGHT - 4)
    if (typeof value !== 'boolean') label(brush, valueText(value, this.#series), left, right, colours().text)
  }
}

/**
 * The colour of a state; null for the normal state, and if no option is chosen. Several options together are a state of
 * their own, by their place in `together`.
 */
function colourOf({ options }, value, together) {
  if (typeof value === 'boolean') return value ? colours().warn : null
  if (Array.isArray(value) && value.length !== 1) {
    if (value.length === 0) return null
    return stateColour(undefined, Object.keys(options).length + together.indexOf(String(value)))
  }
  const key = String(value)
  const option = options[key]
  const named = option?.colour?.toLowerCase()
  if (named === 'grey' || named === 'gray') return null
  return stateColour(option, Math.max(0, Object.keys(options).indexOf(key)))
}

/** Writes the label only if all of it fits. */
function label(brush, text, left, right, colour) {
  brush.font = `12px ${colours().sans}`
  const begin = Math.max(left, 0)
  if (brush.measureText(text).width > right - begin - 10) return
  brush.fillStyle = colour
  brush.textBaseline = 'middle'
  brush.fillText(text, begin + 5, HEIGHT / 2 + 0.5)
}
