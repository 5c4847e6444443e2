/** Label of the docs version to which a sidebar belongs. */
import type { Sidebar } from '../../site/model.ts'

/** Returns null for a site without versions. */
export function findVersionLabel({ levels }: Pick<Sidebar, 'levels'>): string | null {
  const level = levels.findLast(({ kind }) => kind === 'versions')
  return level === undefined || level.active === null ? null : (level.choices[level.active]?.label ?? null)
}
