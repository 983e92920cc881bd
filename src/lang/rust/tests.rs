mod lowering;
