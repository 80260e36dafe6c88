import { html, type Html } from '../../server/html.ts'

/** The state of a row, in the first column of each list. It does not rely on colour, and screen readers can read it. */
export type Sign =
  'create' | 'update' | 'delete' | 'move' | 'needs' | 'failed' | 'done' | 'apply' | 'inactive' | 'none' | 'quiet'

export const SIGNS: { readonly [sign in Sign]: { readonly mark: string | Html; readonly word: string } } = {
  create: { mark: '+', word: 'created' },
  update: { mark: '~', word: 'updated' },
  delete: { mark: '\u2212', word: 'deleted' },
  move: { mark: '\u2192', word: 'moved' },
  needs: { mark: '!', word: 'needs attention' },
  failed: { mark: '\u00d7', word: 'failed' },
  // The signs are drawn, because the fonts lack them or show them badly.
  done: { mark: drawing('m1.5 5.5 2.5 2.5 4.5-6'), word: 'done' },
  apply: { mark: drawing('M5 1l4 4-4 4-4-4z', true), word: 'applied' },
  inactive: { mark: '\u00b7', word: 'not active' },
  none: { mark: '\u00b7', word: '' },
  // A row in the normal state has no sign.
  quiet: { mark: '', word: '' },
}

export function sign(name: Sign): Html {
  const { mark, word } = SIGNS[name]
  const spoken = word === '' ? null : html`<span class="spoken">${word}</span>`
  return html`<span class="sign ${name}"><span aria-hidden="true">${mark}</span>${spoken}</span>`
}

function drawing(path: string, isFilled = false): Html {
  return html`<svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
    <path d="${path}" fill="${isFilled ? 'currentColor' : 'none'}" stroke="currentColor" stroke-width="1.5" />
  </svg>`
}

/** The number of created, updated, moved and deleted records: `+4 ~12`. */
export function counts(summary: { readonly [kind in 'create' | 'update' | 'move' | 'delete']?: number }): Html {
  const kinds = (['create', 'update', 'move', 'delete'] as const).filter((kind) => (summary[kind] ?? 0) > 0)
  if (kinds.length === 0) return html`<span class="none">·</span>`
  return html`${kinds.map(
    (kind) =>
      html`<span class="mono ${kind}" title="${summary[kind] ?? 0} ${SIGNS[kind].word}"
        >${SIGNS[kind].mark}${(summary[kind] ?? 0).toLocaleString('en-US')}</span
      > `,
  )}`
}
