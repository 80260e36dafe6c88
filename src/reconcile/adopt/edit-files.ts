import { editText } from '../../documents/edit/edit-text.ts'
import type { TextEdit } from '../../documents/edit/text-edit.ts'
import type { SourceFile } from '../../documents/read/read-file.ts'
import type { Adoption, Chosen, LeftOut } from './adoptions.ts'
import { fileEdits, type SecretReferences } from './file-edits.ts'
import { WrittenModels } from './written-records.ts'

export interface EditedFile {
  readonly path: string
  readonly source: SourceFile
  readonly text: string
  readonly edits: readonly TextEdit[]
}

interface EditedFiles {
  readonly files: readonly EditedFile[]
  readonly adopted: readonly Adoption[]
  readonly left: readonly LeftOut[]
}

/** Edits the files to have the platform's changes. A change without a safe way is left out of all files. */
export function editFiles(
  { adoptions, gone }: Pick<Chosen, 'adoptions' | 'gone'>,
  files: readonly SourceFile[],
  secrets: SecretReferences,
): EditedFiles {
  const models = new WrittenModels(files)
  const left: LeftOut[] = []
  for (let adopted = adoptions; ;) {
    const { edits, left: nowhere } = fileEdits({ adoptions: adopted, gone }, models, secrets)
    const failed = new Map<Adoption, string>(nowhere.map(({ of, reason }) => [of, reason]))
    const edited = [...Map.groupBy(edits, ({ file }) => file)].flatMap(([source, group]): EditedFile[] => {
      const made = editText(
        source,
        group.map(({ edit }) => edit),
      )
      if ('text' in made) return [{ path: source.path, source, ...made }]
      for (const { edit, message } of made.problems) {
        const of = group.find((one) => one.edit === edit)?.of
        if (of !== undefined) failed.set(of, message)
      }
      return []
    })
    if (failed.size === 0) return { files: edited, adopted, left }
    for (const [{ type, key }, reason] of failed) left.push({ type, key, reason })
    adopted = adopted.filter((one) => !failed.has(one))
  }
}
