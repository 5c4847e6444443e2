/** Returns the label of the docs version that a sidebar belongs to. */
import type { Sidebar } from '../../site/model.ts'

export function findVersionLabel({ levels }: Pick<Sidebar, 'levels'>): string | null {
  const level = levels.findLast(({ kind }) => kind === 'versions')
  return level === undefined || level.active === null ? null : (level.choices[level.active]?.label ?? null)
}
