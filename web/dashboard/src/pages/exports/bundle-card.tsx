/** The archive: its size and hash, a download link created on demand, and how to verify the file. */

import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'preact/hooks'
import { bundleFilename } from '../../../../../src/base/files/bundle-filename.ts'
import type { ExportWork } from '../../../../../src/features/dashboard/operations/work.ts'
import { octavo } from '../../api/octavo.ts'
import { useCommands } from '../../app/commands.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyField, CopyId } from '../../ui/copy.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { formatBytes } from '../../ui/numbers.ts'
import { Section } from '../../ui/page.tsx'
import { formatTimeUntil } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { useNow } from '../use-now.ts'

const FORMAT = 'tar.gz'
const HASH = 'SHA-256'

export function BundleCard({ work, mayDownload }: { work: ExportWork; mayDownload: boolean }) {
  const { job, bundle } = work
  const file = bundleFilename(job)
  const link = useMutation({ mutationFn: () => octavo.generateBundle(job.jobId) })
  const now = useNow(link.data === undefined ? null : 15_000)
  const isOver = link.data !== undefined && Date.parse(link.data.expiresAt) <= now
  useEffect(() => {
    if (isOver) link.reset()
  }, [isOver, link])
  const make = () => link.mutate()
  const buttonLabel = t('Create a download link')
  useCommands([
    { id: 'export-link', label: buttonLabel, icon: 'download', keys: 'd', isOff: !mayDownload, run: make },
  ])
  if (bundle === null) return null
  return (
    <Section title={t('The archive')}>
      <div class="rounded-md border border-line px-4 py-4">
        <div class="flex flex-wrap items-center gap-x-4 gap-y-3">
          <div class="min-w-36 flex-1">
            <p class="truncate font-mono text-13">{file}</p>
            <p class="mt-0.5 text-13 text-soft">
              {formatBytes(bundle.sizeBytes)}, {FORMAT}
            </p>
          </div>
          {mayDownload &&
            (link.data === undefined || isOver ? (
              <Button look="primary" icon="link" isBusy={link.isPending} onClick={make}>
                {buttonLabel}
              </Button>
            ) : (
              <ButtonLink look="primary" icon="download" href={link.data.bundleUrl} download={file}>
                {t('Download')}
              </ButtonLink>
            ))}
        </div>
        {link.isError && (
          <div class="mt-3">
            <FormFailure error={link.error} />
          </div>
        )}
        {link.data !== undefined && !isOver && (
          <div class="mt-3" role="status">
            <CopyField label={t('Link')} text={link.data.bundleUrl} />
            <p class="mt-1.5 text-13 text-soft">
              {t(
                'Anyone with the link can download the archive. It expires {when}. You can create a new one at any time.',
                { when: formatTimeUntil(link.data.expiresAt, now) },
              )}
            </p>
          </div>
        )}
        <p class="mt-4 flex items-center gap-2 border-t border-line pt-3 text-12 text-soft">
          <span class="shrink-0">{HASH}</span>
          <span class="flex min-w-0 flex-1">
            <CopyId id={bundle.sha256} label={t('Copy the hash')} />
          </span>
        </p>
      </div>
    </Section>
  )
}

export function VerifyCommands({ work: { job }, sha256 }: { work: ExportWork; sha256: string }) {
  return (
    <Section
      title={t('Verify and serve it')}
      about={t('Run these commands on the machine that you copied the archive to. No network is needed.')}
    >
      <CodeBlock text={formatVerifyCommands(bundleFilename(job), sha256)} lang="shell" />
    </Section>
  )
}

/** Returns the shell commands to verify the archive, using only standard tools of Linux and macOS. */
function formatVerifyCommands(file: string, sha256: string): string {
  return [
    `# ${t('Check that the archive is complete (macOS: {command}):', { command: 'shasum -a 256 --check' })}`,
    `echo "${sha256}  ${file}" \\`,
    '  | sha256sum --check',
    '',
    `# ${t('Unpack it and serve it with any web server:')}`,
    'mkdir site',
    `tar -xzf '${file}' -C site`,
    'python3 -m http.server --directory site 8080',
    '',
    `# ${t('Check each file against the manifest (requires jq):')}`,
    'cd site',
    `jq -r '.files | to_entries[] | .value.sha256 + "  " + .key' manifest.json \\`,
    '  | sha256sum --check --quiet',
  ].join('\n')
}
