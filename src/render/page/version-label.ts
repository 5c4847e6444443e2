/** The version of the docs that a sidebar belongs to. */
import type { Sidebar } from '../../site/model.ts'

/** Null for a site without versions. */
export function versionLabel({ levels }: Pick<Sidebar, 'levels'>): string | null {
  const level = levels.findLast(({ kind }) => kind === 'versions')
  return level === undefined || level.active === null ? null : (level.choices[level.active]?.label ?? null)
}
