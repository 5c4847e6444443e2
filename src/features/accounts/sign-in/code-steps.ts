/** Codes by time count once (RFC 6238, 5.2): the step of one is taken before the library looks at the code. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Queries } from '../../../database/database.ts'

const STEP_MS = 30_000
/** Those that the library takes, and one more, since its clock may be a step on by then. */
const STEPS = [-1, 0, 1, 2]

/** False for a code whose step, or a later one, was taken before; true for one that is not right at all. */
export async function takeCodeStep(
  db: Queries,
  { userId, secret, code }: { userId: string; secret: string; code: string },
): Promise<boolean> {
  const now = Math.floor(Date.now() / STEP_MS)
  const step = STEPS.map((ahead) => now + ahead).find((at) => isCode(code, codeAt(secret, at)))
  if (step === undefined) return true
  const taken = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

function isCode(given: string, right: string): boolean {
  const bytes = Buffer.from(given)
  return bytes.length === right.length && timingSafeEqual(bytes, Buffer.from(right))
}

function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
