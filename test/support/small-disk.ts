import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of its own that can be filled. */
export interface SmallDisk {
  readonly directory: string
  /** Leaves so many bytes. */
  fill(left?: number): void
  free(): void
  remove(): void
}

/** Only root may mount: elsewhere the tests on one are skipped by name. */
export const CAN_MOUNT = canMount()

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-disk-'))
  const isMounted = mount(directory, 1).status === 0
  if (isMounted) execFileSync('umount', [directory])
  rmSync(directory, { recursive: true })
  return isMounted
}

function mount(directory: string, megabytes: number): { readonly status: number | null } {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory])
}

export function smallDisk(megabytes: number, owner?: { readonly uid: number; readonly gid: number }): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-disk-'))
  if (mount(directory, megabytes).status !== 0) throw new Error(`nothing can be mounted at ${directory}`)
  if (owner !== undefined) chownSync(directory, owner.uid, owner.gid)
  const filler = join(directory, 'filler')
  const free = () => rmSync(filler, { force: true })
  return {
    directory,
    free,
    fill(left = 0) {
      free()
      const { bavail, bsize } = statfsSync(directory)
      const size = bavail * bsize - left
      if (size > 0) writeFileSync(filler, Buffer.alloc(size))
    },
    remove() {
      // A database that could not start keeps its files open; they go when this process ends.
      execFileSync('umount', ['--lazy', directory])
      rmSync(directory, { recursive: true })
    },
  }
}
