import { expect, it } from 'vitest'
import { AnswerBudget } from '../../../src/platform/answer-budget.ts'
import { answerImport } from '../../../src/server/import/answer-import.ts'
import type { ImportOrder } from '../../../src/server/import/import-order.ts'
import { oneDomain } from '../../platform/one-domain.ts'

// Hundreds of thousands of changes are more than one answer may have.

const RECORDS = 1_000
const dataSources = Array.from({ length: RECORDS }, (_, index) => ({ code: `s${index}`, name: 'Weather' }))

const context = oneDomain()

const plan = (answer: ImportOrder['answer'], mostBytes: number) =>
  answerImport(
    {
      context: context(),
      reader: { readsModel: true, readsData: true },
      order: { form: 'json', answer, apply: null, applyId: null, allowed: [] },
      body: Buffer.from(JSON.stringify({ dataSources })),
      traceId: '0'.repeat(32),
      noteAccessChange: () => undefined,
    },
    new AnswerBudget(mostBytes),
  )

it.each(['application/json', 'text/plain'] as const)('refuses a plan as %s that has too many bytes', async (type) => {
  const whole = await (await plan(type, Infinity)).arrayBuffer()
  expect(await plan(type, whole.byteLength)).toMatchObject({ status: 200 })
  const refused = await plan(type, whole.byteLength - 1)
  expect(refused.status).toBe(413)
  expect(await refused.json()).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    detail: expect.stringContaining('bytes') as string,
  })
})

it('shortens a plan as markdown, which has the digest to apply', async () => {
  const answer = await plan('text/markdown', 1_000_000)
  expect(await answer.text()).toContain(answer.headers.get('x-plan-digest'))
})
