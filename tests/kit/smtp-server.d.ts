/** The parts of `smtp-server` that the tests use. */
declare module 'smtp-server' {
  import type { EventEmitter } from 'node:events'
  import type { Server } from 'node:net'
  import type { Readable } from 'node:stream'

  export type Done = (error?: Error | null, answer?: string) => void
  export interface Session {
    secure: boolean
    envelope: { mailFrom: { address: string } | false; rcptTo: { address: string }[] }
    user?: string | false | undefined
  }
  export interface ServerOptions {
    secure?: boolean
    key: string
    cert: string
    hideSTARTTLS?: boolean
    authOptional?: boolean
    disabledCommands?: string[]
    disableReverseLookup: boolean
    logger: false
    closeTimeout: number
    onConnect(session: Session, done: Done): void
    onAuth(
      login: { username: string; password: string },
      session: Session,
      done: (error: Error | null, found?: { user: string }) => void,
    ): void
    onMailFrom(address: { address: string }, session: Session, done: Done): void
    onRcptTo(address: { address: string }, session: Session, done: Done): void
    onData(stream: Readable, session: Session, done: Done): void
  }
  export class SMTPServer extends EventEmitter {
    constructor(options: ServerOptions)
    server: Server
    listen(port: number, host: string, done: () => void): void
    close(done: () => void): void
  }
}
