import { colours, dataColour, tint } from './colours.js'
import { roundAfter } from './ticks.js'

const HEIGHT = 44
const DAY = 86_400_000
const HOUR = 3_600_000

/** The week before the end of the window. A person chooses the window in it. */
export class WeekStrip {
  #canvas
  #week
  #to
  #clock
  #view
  #edges
  #width = 0

  constructor(place, { week, to }, clock, { view, edges, choose }) {
    this.#edges = edges
    this.#week = week
    this.#to = to
    this.#clock = clock
    this.#view = view
    this.#canvas = document.createElement('canvas')
    this.#canvas.className = 'week'
    this.#canvas.title = 'Choose the window in the last seven days'
    this.#canvas.addEventListener('click', ({ offsetX }) => {
      const share = (offsetX - this.#edges.left) / this.#inner
      choose(week.from + Math.min(1, Math.max(0, share)) * (to - week.from))
    })
    place.append(this.#canvas)
  }

  get #inner() {
    return this.#width - this.#edges.left - this.#edges.right
  }

  resize(width) {
    this.#width = width
    this.#canvas.width = Math.round(width * devicePixelRatio)
    this.#canvas.height = Math.round(HEIGHT * devicePixelRatio)
    this.#canvas.style.width = `${width}px`
    this.#canvas.style.height = `${HEIGHT}px`
    this.redraw()
  }

  redraw() {
    const brush = this.#canvas.getContext('2d')
    const width = this.#inner
    brush.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, this.#edges.left * devicePixelRatio, 0)
    brush.clearRect(-this.#edges.left, 0, width + this.#edges.left + this.#edges.right, HEIGHT)
    const x = (at) => ((at - this.#week.from) / (this.#to - this.#week.from)) * width
    this.#drawDays(brush, x, width)
    this.#drawCurve(brush, x)
    const [left, right] = [this.#view().from, this.#view().to].map((at) => Math.min(width, Math.max(0, x(at))))
    brush.fillStyle = tint(colours().main, 0.1)
    brush.fillRect(left, 0.5, right - left, HEIGHT - 1)
    brush.strokeStyle = colours().main
    brush.strokeRect(left + 0.5, 0.5, Math.max(right - left - 1, 2), HEIGHT - 1)
  }

  #drawDays(brush, x, width) {
    brush.font = `12px ${colours().sans}`
    brush.fillStyle = colours().soft
    brush.strokeStyle = colours().line
    brush.textBaseline = 'top'
    brush.textAlign = 'right'
    brush.fillText('7 d', -8, HEIGHT / 2 - 6)
    brush.textAlign = 'left'
    let end = 0
    for (let at = this.#week.from - 1; (at = roundAfter(at, DAY, this.#clock)) < this.#to;) {
      const left = Math.round(x(at)) + 0.5
      brush.beginPath()
      brush.moveTo(left, 0)
      brush.lineTo(left, HEIGHT)
      brush.stroke()
      const day = this.#clock.day(at)
      const name = day.split(' ', width > 700 ? 2 : 1).join(' ')
      const right = left + 4 + brush.measureText(name).width
      // Skips the name of a day if it does not fit, or if it would overlap another name.
      if (right > width || left + 4 < end) continue
      brush.fillText(name, left + 4, 2)
      end = right + 4
    }
  }

  #drawCurve(brush, x) {
    const { means, first } = this.#week
    const known = means.filter((mean) => mean !== null)
    const [least, most] = [Math.min(...known), Math.max(...known)]
    const y = (mean) => HEIGHT - 5 - ((mean - least) / (most - least || 1)) * (HEIGHT - 24)
    brush.save()
    brush.beginPath()
    brush.rect(0, 0, x(this.#to), HEIGHT)
    brush.clip()
    brush.strokeStyle = dataColour(0)
    brush.lineWidth = 1
    brush.beginPath()
    let isDown = false
    for (const [hour, mean] of means.entries()) {
      if (mean !== null) {
        const place = [x(first + (hour + 0.5) * HOUR), y(mean)]
        if (isDown) brush.lineTo(...place)
        else brush.moveTo(...place)
      }
      isDown = mean !== null
    }
    brush.stroke()
    brush.restore()
  }
}
