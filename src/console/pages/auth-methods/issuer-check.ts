import type { IssuerStep } from '../../../platform/access/delegated/provider/check-issuer.ts'
import { html, type Html } from '../../../server/html.ts'
import { block } from '../../parts/block.ts'
import { table } from '../../parts/table.ts'

/** Shows the result of a check of the provider, step by step. */
export function issuerCheck(steps: readonly IssuerStep[] | null): Html | null {
  if (steps === null) return null
  const isWell = steps.every(({ remedy }) => remedy === null)
  return block({
    title: 'Can it be reached?',
    note: isWell ? 'yes, just now' : 'no',
    body: table(
      [{ label: 'Step' }, { label: 'Took', isNumber: true }],
      steps.map(({ what, found, remedy, milliseconds }) => ({
        sign: remedy === null ? ('done' as const) : ('failed' as const),
        cells: [
          html`${what} ${found}${remedy === null ? null : html`<span class="under">${remedy}</span>`}`,
          `${milliseconds} ms`,
        ],
      })),
    ),
  })
}
