import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEBIBYTE = 1_048_576

/** A separate file system that can be full. */
export interface SmallDisk {
  readonly directory: string
  /** Leaves this number of free bytes. */
  fill(left?: number): void
  free(): void
  remove(): void
}

/** Only root may mount. For other users, the tests on such a disk are skipped by name. */
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
  const resize = (bytes: number) => void execFileSync('mount', ['-o', `remount,size=${bytes}`, directory])
  return {
    directory,
    free: () => resize(megabytes * MEBIBYTE),
    // It shrinks to the size of its content, which takes no time.
    fill(left = 0) {
      const { blocks, bfree, bsize } = statfsSync(directory)
      resize((blocks - bfree) * bsize + left)
    },
    remove() {
      // A database that could not start keeps its files open until this process ends.
      execFileSync('umount', ['--lazy', directory])
      rmSync(directory, { recursive: true })
    },
  }
}
