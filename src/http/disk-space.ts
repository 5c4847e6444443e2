/**
 * Refuses writes when the disk is nearly full, so that the remaining space is available to reads, deletions and work
 * in progress, and thus to PostgreSQL.
 */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../base/errors/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests to this route store data on disk. */
    needsRoom?: boolean
  }
}

export interface DiskSpaceDeps {
  /**
   * Whether the disk of the database or the objects is nearly full; left out when neither is on a disk of this
   * machine.
   */
  isDiskShort?: () => Promise<boolean>
}

const RETRY_AFTER_SECONDS = 30

/** Runs after the checks of key and limit, and before those of the body. */
export function refuseWritesWhenDiskFull(app: FastifyInstance, { isDiskShort }: DiskSpaceDeps): void {
  if (isDiskShort === undefined) return
  app.addHook('preHandler', ({ routeOptions }, _reply, done) => {
    if (routeOptions.config.needsRoom !== true) return done()
    isDiskShort().then((isShort) => done(isShort ? diskFullError() : undefined), done)
  })
}

export function diskFullError(cause?: unknown): AppError {
  return new AppError('disk_full', { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) }, cause })
}
