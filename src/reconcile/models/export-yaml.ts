import { accessYaml, documentYaml } from '../../documents/write/document-yaml.ts'
import { isDefaultAccess } from '../../records/types/grant.ts'
import type { Export } from '../target/target.ts'

const GRANTS_NOTE = '# Grants. They are not part of the import document: in models they belong in holdfast.yaml.\n'

/**
 * Writes everything that the platform has into one text. Grants get a YAML document of their own, because the import
 * document has no key for them.
 */
export function* exportYaml({ document, access }: Export): Generator<string> {
  yield* documentYaml(document)
  if (access !== null && access.length > 0 && !isDefaultAccess(access)) yield `---\n${GRANTS_NOTE}${accessYaml(access)}`
}
