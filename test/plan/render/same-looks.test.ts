import { expect, it } from 'vitest'
import { fitMarkdown } from '../../../src/plan/render/markdown/fit-markdown.ts'
import { renderText } from '../../../src/plan/render/text/render-text.ts'
import { created, deleted, planOf, updated } from './plan-builder.ts'

const TWINS = [
  ['caf\u00e9', 'cafe\u0301', 'cafe\\u0301'],
  ['\u00c5ngstr\u00f6m', '\u212bngstr\u00f6m', '\\u212bngström'],
  ['\uac01', '\u1100\u1161\u11a8', '\u1100\\u1161\\u11a8'],
] as const

it.each(TWINS)('a plan shows %s and its twin differently', async (usual, twin, shown) => {
  const changes = [
    created('dataSources', usual, { code: usual, name: usual }),
    created('dataSources', twin, { code: twin, name: twin }),
    deleted('dataSources', `old-${twin}`, { code: `old-${twin}`, name: twin }),
    updated('dataSources', 'x', { code: 'x', name: usual }, { code: 'x', name: twin }),
  ]
  const plan = planOf({ changes })
  for (const text of [renderText(plan, { color: false, width: 100, next: null }), fitMarkdown(plan)]) {
    expect(text).toContain(shown)
    expect(text).toContain(usual)
    expect(text).not.toContain(twin)
  }
})
