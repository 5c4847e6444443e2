/**
 * On a disk that is nearly full nothing more is taken in: what room is left lets reads, deletions and what is at work
 * already go on, and with them PostgreSQL.
 */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../base/errors/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests to this route leave something behind that takes room. */
    needsRoom?: boolean
  }
}

export interface RoomDeps {
  /** Of the disk that the database or the objects lie on; left out when neither lies on one of this machine's. */
  isDiskShort?: () => Promise<boolean>
}

const RETRY_AFTER_SECONDS = 30

/** Behind the checks of key and limit, and before those of the body. */
export function refuseWritesWithoutRoom(app: FastifyInstance, { isDiskShort }: RoomDeps): void {
  if (isDiskShort === undefined) return
  app.addHook('preHandler', ({ routeOptions }, _reply, done) => {
    if (routeOptions.config.needsRoom !== true) return done()
    isDiskShort().then((isShort) => done(isShort ? diskFull() : undefined), done)
  })
}

export function diskFull(cause?: unknown): AppError {
  return new AppError('disk_full', { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) }, cause })
}
