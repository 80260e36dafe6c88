export type Body = { readonly [key: string]: unknown }

export type AnyDocument = { readonly [type: string]: readonly object[] | undefined }

const NO_LINK_LISTS: { readonly [type: string]: string } = { services: 'characteristics', componentModels: 'services' }

/** Specification section 2, the column "notes". */
const DEFAULTS: { readonly [type: string]: Body } = {
  applicationConsumers: { status: 'ACTIVATED' },
  characteristics: { description: null, status: 'ACTIVATED', symbol: null, multiple: false },
  componentModels: { description: null, status: 'ACTIVATED', isConnective: false },
  dataSources: { description: null, reference: null },
  eventModels: { eventLevel: 'INFO', message: null, status: 'ACTIVATED', limitToPrototypes: false },
  machineUsers: { status: 'ACTIVATED' },
  metadataTypes: {},
  services: { status: 'ACTIVATED' },
  serviceComponentModelLinks: { index: 0 },
  organizations: { status: 'ACTIVATED' },
  users: { status: 'ACTIVATED', organization: null },
}

/** The body with defaults filled in and everything whose order or spelling means nothing brought into one form. */
export function bodyOf(type: string, written: Body): Body {
  const body: { [key: string]: unknown } = { ...DEFAULTS[type], ...written }
  delete body[NO_LINK_LISTS[type] ?? '']
  replaceList(body, 'metadataKeyValueStore', metadata)
  replaceList(body, 'options', (options) => options.map((option) => ({ meta: [], ...option })))
  replaceList(body, 'organizationUnits', units)
  if (typeof body['email'] === 'string') body['email'] = body['email'].toLowerCase()
  if (typeof body['schema'] === 'string') body['schema'] = JSON.parse(body['schema'])
  return body
}

function replaceList(body: { [key: string]: unknown }, key: string, replace: (list: readonly Body[]) => unknown): void {
  if (Array.isArray(body[key])) body[key] = replace(body[key] as readonly Body[])
}

/** A tagged and a plain value are one: `{integer: 3}` and `3`. */
function metadata(items: readonly Body[]): Body {
  const values = items.map(({ key, value }) => [
    String(key),
    typeof value === 'object' && value !== null ? Object.values(value)[0] : value,
  ])
  return Object.fromEntries(values) as Body
}

function units(list: readonly Body[]): Body {
  return Object.fromEntries(list.map((unit) => [String(unit['alias'] ?? unit['name']), unitBody(unit)]))
}

function unitBody(written: Body): Body {
  const unit: { [key: string]: unknown } = { status: 'ACTIVATED', ...written }
  replaceList(unit, 'metadataKeyValueStore', metadata)
  replaceList(unit, 'directChildren', units)
  return withoutUnset(unit)
}

/** On the platform a key that is not set is null, so the two are one. */
export function withoutUnset(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}

export function recordsOf(document: AnyDocument, type: string): readonly Body[] {
  return (document[type] ?? []) as readonly Body[]
}
