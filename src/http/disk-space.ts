/**
 * Refuses writes when the disk is nearly full, to reserve the remaining space for reads, deletions, work in
 * progress and PostgreSQL.
 */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../base/errors/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route stores data on disk. */
    needsRoom?: boolean
  }
}

export interface DiskSpaceDeps {
  /**
   * Returns whether the disk of the database or the object storage is nearly full. Left out if neither is on
   * this machine.
   */
  isDiskShort?: () => Promise<boolean>
}

const RETRY_AFTER_SECONDS = 30

/**
 * Refuses requests to routes with `needsRoom`, after checking key and rate limit and before reading the body.
 */
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
