// Writes metrics as text: in Prometheus format (version 0.0.4) and in OpenMetrics 1.0.

export type Labels = { readonly [name: string]: string }

export interface Sample {
  /** The suffix of a histogram's sample: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string
  readonly labels?: Labels
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: Iterable<Sample>
}

export type Format = 'text/plain' | 'application/openmetrics-text'

export const CONTENT_TYPES: { readonly [format in Format]: string } = {
  'text/plain': 'text/plain; version=0.0.4; charset=utf-8',
  'application/openmetrics-text': 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

export function exposition(families: Iterable<Family>, format: Format = 'text/plain'): string {
  const texts = [...families].map((family) => familyText(family, familyName(family, format)))
  return format === 'text/plain' ? texts.join('') : `${texts.join('')}# EOF\n`
}

/** Returns the name of a family. In OpenMetrics, only the samples of a counter have the suffix `_total`. */
function familyName({ name, kind }: Family, format: Format): string {
  return kind === 'counter' && format !== 'text/plain' ? name.replace(/_total$/, '') : name
}

function familyText({ name, kind, help, samples }: Family, family: string): string {
  const lines = [...samples].map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}`,
  )
  return `${[`# HELP ${family} ${help}`, `# TYPE ${family} ${kind}`, ...lines].join('\n')}\n`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

export function gauge(name: string, help: string, value: number | boolean): Family {
  return { name, kind: 'gauge', help, samples: [{ value: Number(value) }] }
}

export function counter(name: string, help: string, value: number): Family {
  return { name, kind: 'counter', help, samples: [{ value }] }
}

/** Adds labels to each sample. */
export function labelled(families: readonly Family[], more: Labels): Family[] {
  return families.map((family) => ({
    ...family,
    samples: [...family.samples].map((sample) => ({ ...sample, labels: { ...sample.labels, ...more } })),
  }))
}

/** Joins the families of several processes, because each family may be written only once. */
export function joined(families: readonly Family[]): Family[] {
  const byName = Map.groupBy(families, ({ name }) => name)
  return [...byName.values()].flatMap((parts) => {
    const [first] = parts
    return first === undefined ? [] : [{ ...first, samples: parts.flatMap(({ samples }) => [...samples]) }]
  })
}
