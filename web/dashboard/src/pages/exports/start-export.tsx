/** The form of a new export: for which host name and deployment, with which features and pages. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'preact/hooks'
import type { ProjectDetail } from '../../../../../src/contract/dashboard-projects.ts'
import {
  BUILT_FEATURES,
  configurableFeatures,
  type ExportDeployment,
  type FeatureSet,
  resolveFeatures,
} from '../../../../../src/contract/features.ts'
import type { StartExportBody } from '../../../../../src/contract/static-export.ts'
import { explain, faultsByField } from '../../api/errors.ts'
import { octavo } from '../../api/send.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, FieldSet, FormError } from '../../ui/field.tsx'
import { Input, Select, Textarea } from '../../ui/input.tsx'
import { useGo } from '../../ui/link.tsx'
import { DEPLOYMENT_WORDS } from './export-words.ts'
import { FeatureSwitches } from './feature-switches.tsx'

const FIELDS = ['domain', 'deployment', 'features', 'paths', 'version'] as const

export function StartExport({ project, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const served = project.domainStates.filter(({ state }) => state === 'served').map(({ domain }) => domain)
  // Where none is, the server says what is missing.
  const domains = served.length > 0 ? served : project.domains
  const [domain, setDomain] = useState(domains[0] ?? '')
  const [deployment, setDeployment] = useState<ExportDeployment>(project.defaultDeployment)
  const [chosen, setChosen] = useState<Partial<FeatureSet>>(project.features)
  const [paths, setPaths] = useState('')
  const [version, setVersion] = useState('')
  const go = useGo()
  const queries = useQueryClient()
  const key = useRef(crypto.randomUUID())
  const features = resolveFeatures(deployment, chosen)
  const start = useMutation({
    mutationFn: (body: StartExportBody) => octavo.startExport(body, { idempotencyKey: key.current }),
    onSuccess: (job) => {
      void queries.invalidateQueries({ queryKey: ['listExportWork'] })
      void go(`/p/${project.id}/exports/${job.jobId}`)
    },
    // What is sent again after a correction is another request.
    onError: () => {
      key.current = crypto.randomUUID()
    },
  })
  const { byField, others } = faultsByField(start.error, FIELDS)
  const choices = configurableFeatures(deployment)
  const submit = () => {
    if (start.isPending) return
    const wanted = paths.split(/\s*\n\s*/).filter((path) => path !== '')
    start.mutate({
      domain,
      deployment,
      features: Object.fromEntries(
        BUILT_FEATURES.filter((name) => choices.includes(name)).map((name) => [name, features[name]]),
      ),
      ...(wanted.length === 0 ? {} : { paths: wanted }),
      ...(version.trim() === '' ? {} : { version: version.trim() }),
    })
  }
  return (
    <Dialog
      title="New export"
      about={
        domains.length > 1 ? (
          'For one of the host names of the project.'
        ) : (
          <>
            For <span class="font-mono">{domain}</span>, rendered as the source is now.
          </>
        )
      }
      width="lg"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" icon="package" type="submit" form="start-export" isBusy={start.isPending}>
            Start the export
          </Button>
        </>
      }
    >
      <form
        id="start-export"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {start.isError && (others.length > 0 || Object.keys(byField).length === 0) && (
          <FormError title={explain(start.error).title} details={others} />
        )}
        {(domains.length > 1 || byField.domain !== undefined) && (
          <Field label="Host name" error={byField.domain}>
            {(field) => (
              <Select
                {...field}
                class="w-full"
                value={domain}
                options={domains.map((name) => ({ value: name, label: name }))}
                onChange={setDomain}
              />
            )}
          </Field>
        )}
        <FieldSet label="Where it will live">
          <RadioGroup
            label="Where it will live"
            value={deployment}
            onChange={setDeployment}
            choices={(Object.keys(DEPLOYMENT_WORDS) as ExportDeployment[]).map((value) => ({
              value,
              ...DEPLOYMENT_WORDS[value],
            }))}
          />
        </FieldSet>
        <FieldSet label="What it can do">
          <FeatureSwitches
            deployment={deployment}
            features={features}
            onChange={(change) => setChosen({ ...chosen, ...change })}
          />
          {byField.features !== undefined && <p class="mt-1.5 text-13 text-danger">{byField.features}</p>}
        </FieldSet>
        <Field
          label="Only these pages"
          isOptional
          hint="Paths, one a line, such as /quickstart. Left empty: all of them."
          error={byField.paths}
        >
          {(field) => (
            <Textarea
              {...field}
              isMono
              rows={2}
              spellcheck={false}
              value={paths}
              onInput={(event) => setPaths(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label="Label"
          isOptional
          hint="A name of your own, such as 2.4 or spring."
          error={byField.version}
        >
          {(field) => (
            <Input
              {...field}
              maxLength={200}
              value={version}
              onInput={(event) => setVersion(event.currentTarget.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
