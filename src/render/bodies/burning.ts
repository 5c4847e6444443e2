/** What was running when last looked, and the processor seconds when it was first seen. */
export interface Burning {
  id: number
  what: number | string
  cpu: number
}

/** `what`: null when nothing runs. */
export function burning(
  last: Burning | null,
  id: number,
  what: Burning['what'] | null,
  cpu: number,
): Burning | null {
  if (what === null) return null
  return last?.id === id && last.what === what ? last : { id, what, cpu }
}
