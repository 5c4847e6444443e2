/** Types for the part of `nodemailer` that is used here. */
declare module 'nodemailer' {
  export interface TransportOptions {
    host: string
    port: number
    secure: boolean
    requireTLS: boolean
    ignoreTLS: boolean
    auth?: { user: string; pass: string }
    tls: { ca?: string }
    /** Milliseconds. */
    connectionTimeout: number
    greetingTimeout: number
    socketTimeout: number
    dnsTimeout: number
    disableFileAccess: true
    disableUrlAccess: true
  }
  export interface Address {
    name: string
    address: string
  }
  export interface Message {
    from: Address
    to: Address
    subject: string
    text: string
    html: string
    messageId: string
    headers: Record<string, string>
    signal: AbortSignal
  }
  export interface SendError extends Error {
    code?: string
    originalCode?: string
    response?: string
    responseCode?: number
    command?: string
  }
  export interface Transporter {
    sendMail(message: Message): Promise<{ response: string }>
    verify(): Promise<true>
    close(): void
  }
  export function createTransport(options: TransportOptions): Transporter
}
