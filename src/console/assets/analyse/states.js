import { colours, stateColour, tint } from './colours.js'
import { valueText } from './format.js'
import { EDGES } from './lane.js'

const HEIGHT = 22

/** The states of one series as bars on the time axis of the lanes. */
export class StateStrip {
  #canvas = document.createElement('canvas')
  #series
  #view

  constructor(place, series, view) {
    this.#series = series
    this.#view = view
    this.#canvas.className = 'strip'
    this.#canvas.setAttribute('aria-hidden', 'true')
    place.append(this.#canvas)
  }

  resize(width) {
    this.#canvas.width = Math.round(width * devicePixelRatio)
    this.#canvas.height = HEIGHT * devicePixelRatio
    this.#canvas.style.width = `${width}px`
    this.#canvas.style.height = `${HEIGHT}px`
    this.redraw()
  }

  redraw() {
    const brush = this.#canvas.getContext('2d')
    const { from, to } = this.#view()
    const width = this.#canvas.width / devicePixelRatio - EDGES.left - EDGES.right
    brush.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, EDGES.left * devicePixelRatio, 0)
    brush.clearRect(-EDGES.left, 0, width + EDGES.left + EDGES.right, HEIGHT)
    brush.save()
    brush.beginPath()
    brush.rect(0, 0, width, HEIGHT)
    brush.clip()
    const x = (at) => ((at - from) / (to - from)) * width
    for (const run of this.#series.runs) this.#drawRun(brush, run, x(run.from), x(run.to))
    brush.restore()
  }

  #drawRun(brush, { value }, left, right) {
    const colour = colourOf(this.#series, value)
    // What rests is a baseline, so that the rest is seen.
    if (colour === null) {
      brush.fillStyle = colours().edge
      brush.fillRect(left, HEIGHT - 3, right - left, 1.5)
      label(brush, valueText(value, this.#series), left, right, colours().soft)
      return
    }
    brush.fillStyle = typeof value === 'boolean' ? tint(colour, 0.85) : tint(colour, 0.32)
    // A pixel between two bars tells them apart.
    brush.fillRect(left, 2, Math.max(right - left - 1, 1), HEIGHT - 4)
    if (typeof value !== 'boolean') label(brush, valueText(value, this.#series), left, right, colours().text)
  }
}

/** Null for the state in which nothing is the matter. */
function colourOf({ options }, value) {
  if (typeof value === 'boolean') return value ? colours().warn : null
  const key = Array.isArray(value) ? value[0] : value
  const option = options[key]
  const named = option?.colour?.toLowerCase()
  if (named === 'grey' || named === 'gray') return null
  return stateColour(option, Math.max(0, Object.keys(options).indexOf(key)))
}

/** Only where it fits whole. */
function label(brush, text, left, right, colour) {
  brush.font = `12px ${colours().sans}`
  const begin = Math.max(left, 0)
  if (brush.measureText(text).width > right - begin - 10) return
  brush.fillStyle = colour
  brush.textBaseline = 'middle'
  brush.fillText(text, begin + 5, HEIGHT / 2 + 0.5)
}
