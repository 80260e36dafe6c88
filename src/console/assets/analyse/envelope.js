import { colours, dataColour } from './colours.js'
import { clip, x } from './draw-beside-lines.js'

/** Around the line of the means, so that it is seen where it lies on the strokes. */
const CASING = 3.5

/**
 * Draws what a bucket holds: a stroke in the full colour from its minimum to its maximum, because the tip of a band alone is
 * too faint for a peak of one bucket to be seen. The lines of the means come later, over those of all series.
 */
export function drawEnvelopes(plot, series, view) {
  const { ctx: brush, bbox } = plot
  const buckets = series.filter(({ form }) => form === 'buckets')
  brush.save()
  clip(brush, bbox)
  for (const one of buckets) drawStrokes(plot, one, view)
  for (const one of buckets) drawCasing(plot, one, view)
  brush.restore()
}

function drawStrokes(plot, { at, min, max, interval, place }, view) {
  const { ctx: brush } = plot
  const width = Math.max(1, Math.round(devicePixelRatio))
  brush.beginPath()
  for (const [index, time] of at.entries()) {
    const [top, bottom] = [max[index], min[index]].map((value) => plot.valToPos(Number(value), 'y', true))
    // On whole pixels a stroke keeps its colour.
    brush.rect(Math.round(x(plot, time + interval / 2, view) - width / 2), top, width, bottom - top)
  }
  brush.fillStyle = dataColour(place)
  brush.fill()
}

function drawCasing(plot, { at, mean, interval, gaps }, view) {
  const { ctx: brush } = plot
  const ends = new Set(gaps.map(([, to]) => to))
  brush.beginPath()
  for (const [index, time] of at.entries()) {
    const place = [x(plot, time + interval / 2, view), plot.valToPos(mean[index], 'y', true)]
    if (index === 0 || ends.has(time)) brush.moveTo(...place)
    else brush.lineTo(...place)
  }
  brush.lineWidth = CASING * devicePixelRatio
  brush.lineJoin = 'round'
  brush.strokeStyle = colours().page
  brush.stroke()
}
