/** Exports all matching entries as a file. */

import { useState } from 'preact/hooks'
import { octavo } from '../../api/octavo.ts'
import { toastFailure } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { formatBytes } from '../../ui/numbers.ts'
import { t } from '../../words/words.ts'
import { formatDay, type InboxFilters, toQuery } from './inbox-filters.ts'

const FORMATS = {
  csv: { name: 'CSV', about: t('For spreadsheets'), type: 'text/csv' },
  jsonl: {
    name: t('JSON lines'),
    about: t('One entry per line, for programs'),
    type: 'application/x-ndjson',
  },
} as const
type Format = keyof typeof FORMATS

export function ExportMenu({ projectId, filters }: { projectId: string; filters: InboxFilters }) {
  const [size, setSize] = useState<number | null>(null)
  const hasMore = filters.q !== null || filters.helpful !== null
  const save = async (format: Format) => {
    setSize(0)
    try {
      const parts: Uint8Array<ArrayBuffer>[] = []
      let total = 0
      const query = { ...toQuery(filters), format, bom: true, include: 'vote,reason,assignee,labels' }
      for await (const part of await octavo.exportFeedback(projectId, query)) {
        parts.push(part as Uint8Array<ArrayBuffer>)
        total += part.byteLength
        setSize(total)
      }
      saveFile(new Blob(parts, { type: FORMATS[format].type }), `feedback-${formatDay(Date.now())}.${format}`)
    } catch (error) {
      toastFailure(t('The file was not saved'), error)
    } finally {
      setSize(null)
    }
  }
  return (
    <Menu
      label={t('Export', { context: 'verb' })}
      align="end"
      items={[
        ...(hasMore ? [{ heading: t('The search text and the vote do not limit the file') }] : []),
        ...(Object.keys(FORMATS) as Format[]).map((format) => ({
          label: FORMATS[format].name,
          about: FORMATS[format].about,
          run: () => void save(format),
        })),
      ]}
      trigger={(trigger) => (
        <Button size="small" icon="download" isBusy={size !== null} {...trigger}>
          <span class={size === null ? 'max-md:sr-only' : ''}>
            {size === null ? t('Export', { context: 'verb' }) : formatBytes(size)}
          </span>
        </Button>
      )}
    />
  )
}

function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
