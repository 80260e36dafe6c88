import { make } from './elements.js'
import { figureText, momentText, valueText } from './format.js'

const FIGURES = ['min', 'mean', 'max']

/** The table above a lane: each line with its exact value at the crosshair, and what the window comes to. */
export class Legend {
  #rows
  #at
  #clock

  constructor(place, unit, series, clock) {
    this.#clock = clock
    this.#at = make('th.number.at', { scope: 'col' }, 'last')
    const captions = [...new Set(series.map(({ caption }) => caption))]
    const heads = FIGURES.map((figure) => make('th.number.whole', { scope: 'col' }, figure))
    const caption = [unit === '' ? '' : make('bdi', {}, unit), captions.length === 1 ? captions[0] : ''].filter(Boolean)
    const words = caption.length === 2 ? [caption[0], ' · ', caption[1]] : caption
    const head = make('tr', {}, make('td'), make('th', { scope: 'col' }, ...words), this.#at, ...heads, make('td'))
    this.#rows = series.map((one) => new LegendRow(one, captions.length > 1))
    place.append(
      make('table.legend', {}, make('thead', {}, head), make('tbody', {}, ...this.#rows.map(({ element }) => element))),
    )
  }

  /** `read` answers what a series says at the crosshair; without one, what it said last. */
  show(at, read, span) {
    this.#at.textContent = at === null ? 'last' : `at ${momentText(this.#clock, at, span)}`
    for (const row of this.#rows) row.show(read(row.series))
  }
}

class LegendRow {
  element
  series
  #value = make('td.number.at')
  #whole = FIGURES.map(() => make('td.number.whole'))

  constructor(series, saysCaption) {
    this.series = series
    const { name, of, unit, place, caption, isSetting } = series
    const note = saysCaption ? ` · ${caption}` : ''
    const line = make(`span.line.d${(place % 6) + 1}${isSetting ? '.dashed' : ''}`, { 'aria-hidden': 'true' })
    const words = make('th', { scope: 'row' }, make('bdi', {}, name), make('span.of', {}, ` ${of}${note}`))
    this.element = make('tr', {}, make('td', {}, line), words, this.#value, ...this.#whole, make('td.unit', {}, unit))
  }

  show({ value, min, max, refused }) {
    const { precision, whole } = this.series
    const cell = this.#value
    cell.classList.toggle('refused', refused !== undefined)
    if (refused !== undefined) cell.textContent = `! refused, ${refused.code}`
    else if (value === undefined) cell.textContent = '–'
    else {
      cell.replaceChildren(make('strong', {}, valueText(value, this.series)))
      if (min !== undefined && min !== max)
        cell.prepend(make('span.between', {}, `${figureText(min, precision)} – ${figureText(max, precision)} `))
    }
    for (const [index, figure] of FIGURES.entries())
      this.#whole[index].textContent = whole === null ? '' : figureText(whole?.[figure], precision)
  }
}
