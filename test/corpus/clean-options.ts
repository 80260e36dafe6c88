import type { Rule } from './clean-rule.ts'
import type { Characteristic, CorpusDocument, Option } from './document.ts'

/** Nobody picks from a longer list; the longest of the source (800 actions of one remote) are event models as well. */
const MOST_OPTIONS = 250

export const OPTION_RULES: { readonly [name: string]: Rule } = {
  'empty-option-key': (draft) => {
    const empty = draft.characteristics.flatMap(({ options }) => (options ?? []).filter(({ key }) => key === ''))
    for (const option of empty) Object.assign(option, { key: 'none', label: 'none' })
    return empty.length
  },
  'repeated-option-key': (draft) => {
    let count = 0
    for (const characteristic of selects(draft)) {
      const options = firstOfEachKey(characteristic.options)
      count += characteristic.options.length - options.length
      characteristic.options = options
    }
    return count
  },
  'no-options': (draft) => {
    const empty = selects(draft).filter(({ options }) => options.length === 0)
    empty.forEach(becomeText)
    return empty.length
  },
  'long-option-list': (draft) => {
    const long = selects(draft).filter(({ options }) => options.length > MOST_OPTIONS)
    long.forEach(becomeText)
    return long.length
  },
}

function selects(draft: CorpusDocument): (Characteristic & { options: Option[] })[] {
  return draft.characteristics.filter(
    (characteristic): characteristic is Characteristic & { options: Option[] } => characteristic.options !== undefined,
  )
}

function firstOfEachKey(options: readonly Option[]): Option[] {
  return [...Map.groupBy(options, ({ key }) => key).values()].flatMap((same) => same.slice(0, 1))
}

function becomeText(characteristic: Characteristic): void {
  characteristic.dataType = 'STRING'
  delete characteristic.options
}
