import { make } from './elements.js'
import { exactText, figureText, meanText } from './figures.js'
import { momentText, readText } from './format.js'

const FIGURES = { min: figureText, mean: meanText, max: figureText }
/** The layouts, from full to narrow: all columns; the range below the value; no figures of the window. */
const LAYOUTS = ['', 'stacked', 'tight']

/** Gives all legends the widest layout that fits every one, with equal columns. */
export function fitLegends(stage, legends) {
  const digits = Math.max(...legends.map((legend) => legend.digits))
  stage.style.setProperty('--digits', `${digits}ch`)
  LAYOUTS.some((layout) => {
    stage.dataset.legends = layout
    return legends.every((legend) => legend.hasRoom)
  })
}

/** The table above a lane: for each line its exact value at the crosshair, and its figures in the window. */
export class Legend {
  #table
  #rows
  #at
  #clock

  constructor(place, unit, series, clock) {
    this.#clock = clock
    this.#at = make('th.number.at', { scope: 'col' }, 'last')
    const captions = [...new Set(series.map(({ caption }) => caption))]
    const heads = Object.keys(FIGURES).map((figure) => make('th.number.whole', { scope: 'col' }, figure))
    const caption = [unit === '' ? '' : make('bdi', {}, unit), captions.length === 1 ? captions[0] : ''].filter(Boolean)
    const words = caption.length === 2 ? [caption[0], ' · ', caption[1]] : caption
    const head = make('tr', {}, make('td'), make('th', { scope: 'col' }, ...words), this.#at, ...heads, make('td'))
    this.#rows = series.map((one) => new LegendRow(one, captions.length > 1))
    const rows = this.#rows.map(({ element }) => element)
    this.#table = make('table.legend', {}, make('thead', {}, head), make('tbody', {}, ...rows))
    place.append(this.#table)
  }

  /** The width of the longest figure. */
  get digits() {
    return Math.max(...this.#rows.map(({ digits }) => digits))
  }

  get hasRoom() {
    const { left, right } = this.#table.getBoundingClientRect()
    const lane = this.#table.parentElement.getBoundingClientRect()
    return left >= lane.left && right <= lane.right
  }

  /** `read` returns the reading of a series at the crosshair. Without a crosshair, it returns the last reading. */
  show(at, read, span) {
    this.#at.textContent = at === null ? 'last' : `at ${momentText(this.#clock, at, span)}`
    for (const row of this.#rows) row.show(read(row.series))
  }
}

class LegendRow {
  element
  series
  #value = make('td.number.at')
  #whole = Object.keys(FIGURES).map(() => make('td.number.whole'))

  constructor(series, saysCaption) {
    this.series = series
    const { name, of, unit, place, caption, isSetting } = series
    const note = saysCaption ? ` · ${caption}` : ''
    const line = make(`span.line.d${(place % 6) + 1}${isSetting ? '.dashed' : ''}`, { 'aria-hidden': 'true' })
    const words = make('th', { scope: 'row' }, make('bdi', {}, name), make('span.of', {}, ` ${of}${note}`))
    this.element = make('tr', {}, make('td', {}, line), words, this.#value, ...this.#whole, make('td.unit', {}, unit))
  }

  get digits() {
    return Math.max(4, ...this.#texts().map(({ length }) => length))
  }

  #texts() {
    const { whole, precision } = this.series
    return Object.entries(FIGURES).map(([figure, text]) => text(whole?.[figure], precision))
  }

  show(read) {
    const { value, min, max, refused } = read
    const { precision } = this.series
    const cell = this.#value
    cell.classList.toggle('refused', refused !== undefined)
    if (refused !== undefined) cell.textContent = `! refused, ${refused.code}`
    else if (value === undefined) cell.textContent = '–'
    else {
      cell.replaceChildren(make('strong', {}, readText(read, this.series)))
      if (min !== undefined && min !== max)
        cell.prepend(make('span.between', {}, `${exactText(min, precision)} – ${exactText(max, precision)} `))
    }
    for (const [index, text] of this.#texts().entries()) this.#whole[index].textContent = text
  }
}
