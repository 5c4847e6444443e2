import { useState } from 'preact/hooks'
import type { ProjectDetail } from '../../../../../src/contract/dashboard-projects.ts'
import type { ProjectDomain } from '../../../../../src/contract/domains.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'
import { DomainBadge, DomainProof } from './domain-proof.tsx'
import { SettingsForm, type SettingsShape, type SettingsState } from './settings-form.tsx'

interface DomainDraft {
  domains: readonly string[]
}

const MOST = 50

const SHAPE: SettingsShape<DomainDraft> = {
  draftOf: ({ domains }) => ({ domains }),
  changeOf: ({ domains }) => ({ domains: domains.map((name) => name.trim()).filter((name) => name !== '') }),
  wordsOf: ({ domains }) => [{ label: 'Domains', value: domains.join(', ') }],
  fieldOf: (path) => (path.startsWith('domains') ? 'domains' : undefined),
}

export function DomainSettings({ project }: { project: ProjectDetail }) {
  const [asked, setAsked] = useState<{ gone: string[]; go: () => void } | null>(null)
  return (
    <>
      <SettingsForm
        project={project}
        shape={SHAPE}
        beforeSave={(draft, saved, go) => {
          const gone = saved.domains.filter((name) => !draft.domains.includes(name))
          if (gone.length === 0) go()
          else setAsked({ gone, go })
        }}
      >
        {/* How they stand changes by itself, without a change of the settings that the form holds on to. */}
        {(state) => <Domains {...state} now={project} />}
      </SettingsForm>
      {asked !== null && (
        <ConfirmDialog
          title={asked.gone.length === 1 ? 'Take this domain away?' : 'Take these domains away?'}
          name={asked.gone[0] ?? ''}
          action={asked.gone.length === 1 ? 'Take it away' : 'Take them away'}
          onClose={() => setAsked(null)}
          onConfirm={async () => asked.go()}
        >
          <p>
            Readers who come to <strong class="text-text">{asked.gone.join(', ')}</strong> find nothing there
            any more, and another organization of this server may take the name. Bundles that were exported
            stay as they are.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Domains({
  draft: { domains },
  set,
  faults,
  mayChange,
  project,
  now,
}: SettingsState<DomainDraft> & { now: ProjectDetail }) {
  const stateOf = (name: string) => now.domainStates.find(({ domain }) => domain === name)
  const change = (index: number, name: string) =>
    set({ domains: domains.map((one, at) => (at === index ? name : one)) })
  return (
    <div>
      <p class="mb-3 text-13 text-soft">
        The host names at which readers find the site. Point each one here with a CNAME or A record. The first
        is the main address: links in sitemaps and previews name it.
        {now.provesDomains && ' What to create as a proof that a domain is yours is shown once it is saved.'}
      </p>
      <ol class="divide-y divide-line rounded-md border border-line" aria-label="Domains">
        {domains.map((name, index) => (
          <li key={index} class="px-3 py-2">
            <div class="flex items-center gap-2">
              {project.domains.includes(name) ? (
                <span class="min-w-0 flex-1 font-mono text-13 break-all">{name}</span>
              ) : (
                <Input
                  isMono
                  autocapitalize="none"
                  aria-label={`Domain ${index + 1}`}
                  aria-invalid={(faults.domains ?? '').includes(`“${name}”`) || undefined}
                  class="flex-1"
                  value={name}
                  placeholder="docs.example.com"
                  onInput={(event) => change(index, event.currentTarget.value)}
                />
              )}
              <StateBadge one={stateOf(name)} isAsked={now.provesDomains} />
              {index === 0 ? (
                <Badge>main</Badge>
              ) : (
                mayChange &&
                project.domains.includes(name) && (
                  <Button
                    size="small"
                    look="quiet"
                    onClick={() => set({ domains: [name, ...domains.filter((_, at) => at !== index)] })}
                  >
                    Make main
                  </Button>
                )
              )}
              {mayChange && domains.length > 1 && (
                <IconButton
                  icon="trash-2"
                  size="small"
                  label={`Take ${name || 'this domain'} away`}
                  onClick={() => set({ domains: domains.filter((_, at) => at !== index) })}
                />
              )}
            </div>
            <Proof projectId={project.id} one={stateOf(name)} isAsked={now.provesDomains} />
          </li>
        ))}
      </ol>
      {faults.domains !== undefined && (
        <p role="alert" class="mt-1.5 flex items-start gap-1.5 text-13 text-danger">
          <Icon name="circle-alert" size={14} class="mt-[3px]" /> {faults.domains}
        </p>
      )}
      {mayChange && domains.length < MOST && (
        <Button size="small" icon="plus" class="mt-3" onClick={() => set({ domains: [...domains, ''] })}>
          Add a domain
        </Button>
      )}
    </div>
  )
}

/** Where no proofs are asked for there is nothing to say of what is served. */
function isTold(one: ProjectDomain | undefined, isAsked: boolean): one is ProjectDomain {
  return one !== undefined && (isAsked || one.state === 'pending')
}

interface Told {
  one: ProjectDomain | undefined
  isAsked: boolean
}

function StateBadge({ one, isAsked }: Told) {
  return isTold(one, isAsked) ? <DomainBadge one={one} /> : null
}

function Proof({ projectId, one, isAsked }: Told & { projectId: string }) {
  return isTold(one, isAsked) ? <DomainProof projectId={projectId} one={one} /> : null
}
