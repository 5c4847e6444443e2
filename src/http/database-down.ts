/** Distinguishes an unreachable database from a failed query. */

import { DatabaseFrozenError } from '../database/freeze-watch.ts'

// Error codes of sockets, then SQLSTATE: connection exceptions (08), shutdown or startup (57P), too many
// connections.
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
])
const SERVER_CODES = /^(08...|57P0[1-4]|53300)$/
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end)/

export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseFrozenError) return true
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code === 'string') {
    // ENOENT is also the code for a missing file, so only socket operations count.
    if (SOCKET_CODES.has(code)) return syscall === 'connect' || syscall === 'read' || syscall === 'write'
    if (SERVER_CODES.test(code)) return true
  }
  if (DRIVER_MESSAGES.test(error.message)) return true
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isDatabaseDown)
  return isDatabaseDown(error.cause)
}
