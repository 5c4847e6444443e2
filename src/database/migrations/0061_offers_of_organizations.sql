-- Offers of one organization are counted, see src/storage/project-transfers.ts.
CREATE INDEX project_transfers_from ON project_transfers (organization_id);
