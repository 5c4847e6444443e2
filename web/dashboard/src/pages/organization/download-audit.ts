import { caller } from '../../api/send.ts'
import { toastFailure } from '../../app/toasts.ts'
import { t } from '../../words/words.ts'

/**
 * Downloads the log through fetch and saves it as a file, because a plain link cannot send the header that names the
 * organization.
 */
export async function downloadAudit(path: string, format: 'csv' | 'jsonl'): Promise<void> {
  try {
    const chunks: BlobPart[] = []
    for await (const chunk of await caller.stream({ method: 'GET', path })) chunks.push(chunk as BlobPart)
    const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob(chunks, { type }))
    link.download = `audit-${new Date().toISOString().slice(0, 10)}.${format}`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  } catch (error) {
    toastFailure(t('The audit log was not downloaded'), error)
  }
}
