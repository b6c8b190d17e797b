/** The URL of a file of shapes, in `src/portal-build/map/map-shapes.ts`. */
declare module "virtual:map-shapes/*" {
  const url: string;
  export default url;
}
