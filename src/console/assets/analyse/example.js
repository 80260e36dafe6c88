import { Picture } from './picture.js'

// A chart of every kind of thing that Analyse draws, on the page that shows the parts of the console.

const HOUR = 3_600_000
const STEP = 120_000
const NOTHING = {
  of: 'Heat pump',
  precision: 1,
  isSetting: false,
  options: {},
  gaps: [],
  runs: [],
  bounds: [],
  setpoints: [],
  refused: [],
}
const stage = document.getElementById('example-chart')

if (stage !== null) {
  const { zone, now } = stage.dataset
  const picture = new Picture(stage, example(Number(now), zone), { choose: () => undefined })
  new ResizeObserver(() => picture.resize()).observe(stage)
}

function example(to, zone) {
  const from = to - 6 * HOUR
  return {
    from,
    to,
    now: to,
    zone,
    isLive: false,
    week: null,
    series: [measured(from), set(from), state(from, to)],
    applies: [{ at: from + 2 * HOUR, label: 'a3f9c21', href: '#' }],
    events: [{ from: from + 4 * HOUR, to: from + 5 * HOUR, label: 'window-open', level: 'WARNING' }],
  }
}

function measured(from) {
  const at = Array.from({ length: 180 }, (_, index) => from + index * STEP).filter(
    (_, index) => index < 80 || index >= 95,
  )
  const values = at.map((time) => Math.round(420 + 80 * Math.sin((time - from) / HOUR)) / 10)
  return {
    ...NOTHING,
    id: 'flow',
    name: 'Flow temperature',
    unit: '°C',
    form: 'raw',
    caption: 'raw',
    place: 0,
    at,
    values,
    whole: { count: at.length, min: Math.min(...values), mean: 42, max: Math.max(...values) },
    gaps: [[from + 79 * STEP, from + 95 * STEP]],
    bounds: [{ name: 'boundaryMax', value: 55, from, to: from + 6 * HOUR }],
    refused: [{ from: from + 86 * STEP, to: from + 90 * STEP, count: 3, code: 'out-of-bounds' }],
  }
}

function set(from) {
  const [first, second] = [from, from + 3 * HOUR]
  return {
    ...NOTHING,
    id: 'target',
    name: 'Target',
    unit: '°C',
    form: 'raw',
    caption: 'raw',
    place: 1,
    isSetting: true,
    at: [first, second],
    values: [40, 47.5],
    whole: { count: 2, min: 40, mean: 43.75, max: 47.5 },
    setpoints: [{ uuid: 'one', at: second - STEP, changed: second, state: 'APPLIED', value: 47.5, reason: null }],
  }
}

function state(from, to) {
  const runs = [
    { from, to: from + 2.5 * HOUR, value: false },
    { from: from + 2.5 * HOUR, to, value: true },
  ]
  return { ...NOTHING, id: 'lock', name: 'Locked', unit: '', form: 'states', caption: 'raw', place: -1, runs }
}
