import type { Family, Labels } from './exposition.ts'

/** The same families with more labels on each sample. */
export function labelled(families: readonly Family[], more: Labels): Family[] {
  return families.map((family) => ({
    ...family,
    samples: [...family.samples].map((sample) => ({ ...sample, labels: { ...sample.labels, ...more } })),
  }))
}

/** Families of several processes as one list, since each family may be written once. */
export function joined(families: readonly Family[]): Family[] {
  const byName = Map.groupBy(families, ({ name }) => name)
  return [...byName.values()].flatMap((parts) => {
    const [first] = parts
    return first === undefined ? [] : [{ ...first, samples: parts.flatMap(({ samples }) => [...samples]) }]
  })
}
