import { Attempts } from '../../../lib/attempts.ts'
import { DamagedPoints } from '../damaged-points.ts'

/**
 * Works on things together, and on ever smaller parts of them where something is damaged, so that all others are done. It
 * fails in the end with what is damaged.
 */
export async function apartFromDamaged<T>(
  all: readonly T[],
  work: (some: readonly T[]) => Promise<void>,
): Promise<void> {
  try {
    await work(all)
  } catch (error) {
    if (!(error instanceof DamagedPoints) || all.length <= 1) throw error
    const middle = all.length >> 1
    const attempts = new Attempts()
    for (const half of [all.slice(0, middle), all.slice(middle)])
      await attempts.make(() => apartFromDamaged(half, work))
    attempts.end()
  }
}
