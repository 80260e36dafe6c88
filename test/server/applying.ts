import type { GraphqlAnswer } from './test-server.ts'

export type Ask = (query: string, variables?: object) => Promise<GraphqlAnswer>

interface Imported {
  readonly document: object
  readonly access?: readonly object[]
}

interface Guarded {
  readonly guards: readonly { readonly code: string }[]
  readonly type?: string
  readonly key?: string
}

interface Planned {
  readonly scope: readonly Guarded[]
  readonly access: Guarded & { readonly changes: readonly Guarded[]; readonly diff?: { readonly digest?: string } }
}

/** Has its plan ready, with all that it needs acknowledged, so that nothing but the apply waits. */
export async function applying(ask: Ask, { document, access }: Imported): Promise<() => Promise<GraphqlAnswer>> {
  const plan = async (settings: object) => {
    const query = `query ($document: JSON!, $settings: JSON) {
      planImport(document: $document, settings: $settings) { json } }`
    const { data } = await ask(query, { document, settings })
    return (data as { planImport: { json: Planned } }).planImport.json
  }
  const managed = access === undefined ? {} : { access }
  const first = await plan(managed)
  const acknowledge = [...first.scope, first.access, ...first.access.changes].flatMap(
    ({ guards, type = 'access', key }) =>
      guards.map(({ code }) => ({
        code,
        type,
        ...(key !== undefined && { key }),
        ...(code === 'widens-access' && { digest: first.access.diff?.digest }),
      })),
  )
  const settings = { ...managed, acknowledge }
  const variables = { document, settings, plan: await plan(settings) }
  return () => ask(APPLY, variables)
}

const APPLY = `mutation ($document: JSON!, $settings: JSON, $plan: JSON!) {
  applyImport(document: $document, settings: $settings, plan: $plan) { uuid } }`
