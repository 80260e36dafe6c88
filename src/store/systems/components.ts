import type { Selection } from '../entity-pages.ts'

export interface ComponentFilter {
  readonly systems?: readonly string[] | undefined
  readonly componentModels?: readonly string[]
  readonly status?: readonly string[]
  /** Part of the name, in any case. */
  readonly search?: string
  /** The uuids of organizations or units, and nothing below them. */
  readonly units?: readonly string[] | undefined
}

const MATCHES = `($3::uuid[] is null or e.system_uuid = any ($3::uuid[]))
  and ($4::text[] is null or "componentModel".key = any ($4))
  and ($5::text[] is null or e.status = any ($5))
  and ($6::text is null or strpos(lower(e.name), lower($6)) > 0)`

export function componentsMeant({ systems, componentModels, status, search, units }: ComponentFilter): Selection {
  return {
    matches: MATCHES,
    values: [systems ?? null, componentModels ?? null, status ?? null, search ?? null],
    units,
  }
}
