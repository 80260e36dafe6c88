import type { Rule } from './clean-rule.ts'
import type { CorpusDocument } from './document.ts'

/** Spellings found in the source, by what they mean (SI brochure, IEC 80000). */
const UNIT_SPELLINGS: { readonly [unit: string]: readonly string[] } = {
  '°C': ['℃', 'ºC', 'C'],
  '°F': ['℉'],
  s: ['sec', 'sec.', 'Sec', 'seconds', 'Seconds', 'S'],
  min: ['minute', 'minutes', 'min.'],
  h: ['Hr', 'hours', 'Hours', 'H'],
  d: ['day', 'days', 'Day'],
  m: ['meters'],
  'm³': ['m3'],
  lx: ['lux', 'Lx'],
  V: ['volt', 'Volt'],
  W: ['watt', 'w'],
  var: ['VAR', 'VAr'],
  varh: ['VArh'],
  kvarh: ['kVArh'],
  // U+03BC, the Greek letter, for U+00B5, the micro sign.
  'µS/cm': ['μS/cm'],
  'µR/h': ['μR/h'],
  'µg/m³': ['ug/m3'],
  '%LEL': ['LEL', 'LEL %'],
  'VOC index points': ['VOC Index points'],
}

const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries(UNIT_SPELLINGS).flatMap(([unit, spellings]) => spellings.map((spelling) => [spelling, unit] as const)),
)

// PostgreSQL stores no U+0000, and the other control characters (but the line feed) mean nothing in a text.
const CONTROL_CHARACTERS = /[^\P{Cc}\n]/gu

export const TEXT_RULES: { readonly [name: string]: Rule } = {
  'control-character': (draft) => replaceTexts(draft, (text) => text.replaceAll(CONTROL_CHARACTERS, '')),
  'outer-space': (draft) => replaceTexts(draft, (text) => text.trim()),
  'empty-symbol': (draft) => {
    const empty = draft.characteristics.filter(({ symbol }) => symbol === '')
    for (const characteristic of empty) characteristic.symbol = null
    return empty.length
  },
  'unit-spelling': (draft) => {
    const misspelt = draft.characteristics.filter(({ symbol }) => UNITS.has(symbol ?? ''))
    for (const characteristic of misspelt) characteristic.symbol = UNITS.get(characteristic.symbol ?? '') ?? null
    return misspelt.length
  },
}

/** Rewrites every text of the document, at any depth, and counts those that changed. */
function replaceTexts(draft: CorpusDocument, replace: (text: string) => string): number {
  let count = 0
  const visit = (holder: { [key: string]: unknown }): void => {
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value === 'string') {
        const replaced = replace(value)
        if (replaced !== value) count += 1
        holder[key] = replaced
      } else if (typeof value === 'object' && value !== null) visit(value as { [key: string]: unknown })
    }
  }
  visit(draft as unknown as { [key: string]: unknown })
  return count
}
