-- Events wait by part of the projects, so that several workers count at once and a flood for one site delays only the
-- sites of its part (src/features/analytics/intake/count-inbox.ts). The inbox is nearly empty as a rule.
CREATE INDEX analytics_inbox_by_part ON analytics_inbox ((hashtext(project_id) & 15), id);
