// Reads the colours of the style sheet for the canvas.

const NAMES = [
  'text',
  'soft',
  'grey',
  'line',
  'edge',
  'page',
  'good',
  'warn',
  'bad',
  'main',
  'd1',
  'd2',
  'd3',
  'd4',
  'd5',
  'd6',
]

let known = null

export function colours() {
  known ??= read()
  return known
}

/** Forgets the colours after a change of the theme. */
export function forgetColours() {
  known = null
}

function read() {
  const probe = document.createElement('span')
  // Canvases keep their colours where a browser replaces all others.
  probe.style.forcedColorAdjust = 'none'
  document.body.append(probe)
  const found = {}
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`
    found[name] = getComputedStyle(probe).color
  }
  found.sans = getComputedStyle(probe).fontFamily
  probe.remove()
  return found
}

/** Gives the colour an opacity from 0 to 1. */
export function tint(colour, opacity) {
  const numbers = colour.match(/[\d.]+/g) ?? []
  return `rgba(${numbers.slice(0, 3).join(', ')}, ${opacity})`
}

const COUNT = 6

export function dataColour(place) {
  return colours()[`d${(place % COUNT) + 1}`]
}

/** The names of colours that a model may give to an option. */
const OF_MODEL = {
  grey: 'grey',
  gray: 'grey',
  green: 'd3',
  blue: 'd2',
  yellow: 'd5',
  orange: 'd1',
  red: 'bad',
  purple: 'd4',
  violet: 'd4',
  turquoise: 'd6',
}

/** The colour of a state: the one in the model, or else one chosen by its place. */
export function stateColour(option, place) {
  const named = option?.colour?.toLowerCase()
  if (named !== undefined && /^#[0-9a-f]{6}$/.test(named)) {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(named.slice(at, at + 2), 16))
    return `rgb(${red}, ${green}, ${blue})`
  }
  return Object.hasOwn(OF_MODEL, named) ? colours()[OF_MODEL[named]] : dataColour(place + 1)
}

let pattern = null

/** The pattern for times without data. */
export function hatch(context) {
  const colour = colours().grey
  if (pattern?.colour === colour) return pattern.fill
  const tile = new OffscreenCanvas(8, 8)
  const brush = tile.getContext('2d')
  brush.strokeStyle = tint(colour, 0.45)
  brush.beginPath()
  for (const from of [-4, 4]) {
    brush.moveTo(from, 8)
    brush.lineTo(from + 8, 0)
  }
  brush.moveTo(-2, 2)
  brush.lineTo(2, -2)
  brush.stroke()
  pattern = { colour, fill: context.createPattern(tile, 'repeat') }
  return pattern.fill
}
