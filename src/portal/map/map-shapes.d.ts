/** The URL of a file of shapes, in `src/build/portal/map-shapes.ts`. */
declare module "virtual:map-shapes/*" {
  const url: string;
  export default url;
}
